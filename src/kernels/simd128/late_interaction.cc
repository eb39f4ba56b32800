#include "kernels/late_interaction.h"

#include <algorithm>
#include <bit>

#include "kernels/simd128/late_interaction.h"

namespace quintet::simd128 {
namespace {

int32_t differing(uint64_t a, uint64_t b) { return std::popcount(a ^ b); }

// Signs of up to 128 values are two words.
constexpr size_t kFewWords = 2;

// kQueries of them stay in registers while the rows go by.
template <size_t kQueries>
void nearest_few_words(const uint64_t* query, const uint64_t* row, size_t rows, int32_t* nearest) {
  uint64_t first[kQueries], second[kQueries];
  int32_t best[kQueries];
  for (size_t q = 0; q < kQueries; ++q) {
    first[q] = query[q * kFewWords];
    second[q] = query[q * kFewWords + 1];
    best[q] = nearest[q];
  }
  for (size_t i = 0; i < rows; ++i, row += kFewWords) {
    for (size_t q = 0; q < kQueries; ++q) {
      best[q] = std::min(best[q], differing(first[q], row[0]) + differing(second[q], row[1]));
    }
  }
  std::copy_n(best, kQueries, nearest);
}

void nearest_words(const uint64_t* query, const uint64_t* row, size_t rows, size_t words, int32_t* nearest) {
  for (size_t i = 0; i < rows; ++i, row += words) {
    int32_t sum = 0;
    for (size_t j = 0; j < words; ++j) sum += differing(query[j], row[j]);
    *nearest = std::min(*nearest, sum);
  }
}

// Two products of 16-bit values.
struct PairDot {
  static constexpr size_t kValues = 2;

  static v128_t load(const int8_t* p) { return wasm_i16x8_load8x8(p); }
  static v128_t add(v128_t sum, v128_t row, v128_t query) {
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(row, query));
  }
  static v128_t add_offset(v128_t sum, v128_t) { return sum; }
};

}  // namespace

// The rows of an entry stay in the cache while all queries are compared with them. Bits are counted in 64-bit words, as
// in score_rows_binary.
void nearest_signs(const VectorRun& queries, const VectorRun& rows, int32_t* nearest) {
  constexpr size_t kAtOnce = 2;
  const size_t words = rows.bytes / sizeof(uint64_t);
  const auto* row = reinterpret_cast<const uint64_t*>(rows.data);
  const auto* query = reinterpret_cast<const uint64_t*>(queries.data);
  size_t q = 0;
  if (words == kFewWords) {
    for (; q + kAtOnce <= queries.count; q += kAtOnce) {
      nearest_few_words<kAtOnce>(query + q * words, row, rows.count, nearest + q);
    }
  }
  for (; q < queries.count; ++q) nearest_words(query + q * words, row, rows.count, words, nearest + q);
}

void prepare_queries(const VectorRun& queries, int32_t* prepared) {
  auto* const out = reinterpret_cast<int16_t*>(prepared);
  for (size_t i = 0; i < queries.count * queries.bytes; i += 8) {
    wasm_v128_store(out + i, wasm_i16x8_load8x8(queries.data + i));
  }
}

void largest_products(const PreparedQueries& queries, const VectorRun& rows, const float* scales, void* tile,
                      double* largest) {
  multiply_tiles(PairDot(), queries, rows, scales, tile, largest);
}

}  // namespace quintet::simd128
