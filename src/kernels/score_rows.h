#pragma once
// Scores of the search index: one query against many rows. Most of the time is spent reading the rows, which happens
// only once.
//
// Query and rows are aligned to 16 bytes and padded with zeros to multiples of 16 bytes, at least 16. These functions
// need no C library, because they are also linked into their own WebAssembly module (bindings/search).

#include <cstddef>
#include <cstdint>

namespace quintet {

namespace scalar {
// scores[i] = query . row i of float32 values, in float64: their products are exact there, and neither overflow nor
// underflow. They are added to four sums in turn, which are added in order, in every variant. The query has been
// converted once.
void score_rows_f32(const double* query, const float* rows, size_t count, size_t dimension, double* scores);
// scores[i] = query . row i in integers, exact below 2^31 / 128^2 elements.
void score_rows_i8(const int8_t* query, const int8_t* rows, size_t count, size_t dimension, int32_t* scores);
// scores[i] = number of bits in which the query and row i differ.
void score_rows_binary(const uint8_t* query, const uint8_t* rows, size_t count, size_t bytes, int32_t* scores);
}  // namespace scalar

namespace simd128 {
void score_rows_f32(const double* query, const float* rows, size_t count, size_t dimension, double* scores);
void score_rows_i8(const int8_t* query, const int8_t* rows, size_t count, size_t dimension, int32_t* scores);
void score_rows_binary(const uint8_t* query, const uint8_t* rows, size_t count, size_t bytes, int32_t* scores);
}  // namespace simd128

}  // namespace quintet
