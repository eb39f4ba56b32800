#include "kernels/late_interaction.h"

#include <algorithm>
#include <bit>

#include "kernels/score_rows.h"

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

void largest_products(const VectorRun& queries, const VectorRun& rows, const float* scales, double* largest) {
  constexpr size_t kRows = 256;
  int32_t products[kRows];
  const auto* query = reinterpret_cast<const int8_t*>(queries.data);
  for (size_t begin = 0; begin < rows.count; begin += kRows) {
    const size_t count = std::min(kRows, rows.count - begin);
    const auto* row = reinterpret_cast<const int8_t*>(rows.data) + begin * rows.bytes;
    for (size_t q = 0; q < queries.count; ++q) {
      score_rows_i8(query + q * queries.bytes, row, count, rows.bytes, products);
      double best = largest[q];
      for (size_t i = 0; i < count; ++i) best = std::max(best, double{scales[begin + i]} * products[i]);
      largest[q] = best;
    }
  }
}

}  // namespace quintet::simd128
