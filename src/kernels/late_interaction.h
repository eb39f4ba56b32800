#pragma once
// Late interaction in the search index (Khattab and Zaharia 2020, arXiv:2004.12832): each vector of a query is compared
// with all vectors of an entry, and only the best comparison counts. These functions read some of the entry's vectors
// and keep the best in an array, which the caller has filled before the first of them.
//
// Queries and rows are aligned to 16 bytes and padded with zeros to multiples of 16 bytes. These functions need no C
// library, because they are linked into a separate WebAssembly module (bindings/search).

#include <cstddef>
#include <cstdint>

namespace quintet {

// Consecutive vectors of `bytes` each.
struct VectorRun {
  const uint8_t* data;
  size_t count, bytes;
};

// Queries as largest_products reads them, from prepare_queries.
struct PreparedQueries {
  const int32_t* lanes;
  size_t count;
};

// Rows that largest_products rearranges at a time.
constexpr size_t kTileRows = 16;

namespace scalar {
// nearest[q] = min(nearest[q], the number of bits in which query q differs from each row).
void nearest_signs(const VectorRun& queries, const VectorRun& rows, int32_t* nearest);
// largest[q] = max(largest[q], (query q . row i) * scales[i]), of int8 values, with products as score_rows_i8 has them.
void largest_products(const VectorRun& queries, const VectorRun& rows, const float* scales, double* largest);
}  // namespace scalar

namespace simd128 {
void nearest_signs(const VectorRun& queries, const VectorRun& rows, int32_t* nearest);
// `prepared` has twice as many bytes as the queries, and `tile` as kTileRows rows; both are aligned to 16 bytes.
void prepare_queries(const VectorRun& queries, int32_t* prepared);
void largest_products(const PreparedQueries& queries, const VectorRun& rows, const float* scales, void* tile,
                      double* largest);
}  // namespace simd128

namespace relaxed {
void prepare_queries(const VectorRun& queries, int32_t* prepared);
void largest_products(const PreparedQueries& queries, const VectorRun& rows, const float* scales, void* tile,
                      double* largest);
}  // namespace relaxed

}  // namespace quintet
