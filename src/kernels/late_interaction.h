#pragma once
// Late interaction in the search index (Khattab and Zaharia 2020, arXiv:2004.12832): each vector of a query is compared
// with all vectors of an entry, and only the best comparison counts. These functions read some of the entry's vectors
// and keep the best in an array, which the caller has filled before the first of them.
//
// Queries and rows are aligned to 16 bytes and padded with zeros to multiples of 16 values or bytes of signs. These
// functions need no C library, because they are linked into a separate WebAssembly module (bindings/search).

#include <cstddef>
#include <cstdint>

namespace quintet {

// Consecutive vectors of `bytes` each.
struct VectorRun {
  const uint8_t* data;
  size_t count, bytes;
};

// Queries of int8 values in 16 bits, so that no row has to be multiplied with a query that is widened again.
struct WideQueries {
  const int16_t* data;
  size_t count;
};

// Rows that largest_products rearranges at a time, in 16 bits, in memory that its caller lends.
constexpr size_t kTileRows = 16;

namespace scalar {
// nearest[q] = min(nearest[q], the number of bits in which query q differs from each row).
void nearest_signs(const VectorRun& queries, const VectorRun& rows, int32_t* nearest);
// largest[q] = max(largest[q], (query q . row i) * scales[i]), of int8 values. The products are exact.
void largest_products(const WideQueries& queries, const VectorRun& rows, const float* scales, double* largest);
}  // namespace scalar

namespace simd128 {
void nearest_signs(const VectorRun& queries, const VectorRun& rows, int32_t* nearest);
// `tile`: kTileRows * rows.bytes values, aligned to 16 bytes.
void largest_products(const WideQueries& queries, const VectorRun& rows, const float* scales, int16_t* tile,
                      double* largest);
}  // namespace simd128

}  // namespace quintet
