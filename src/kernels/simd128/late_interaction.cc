#include "kernels/late_interaction.h"

#include <algorithm>
#include <bit>

#include "kernels/generic/loops.h"
#include "kernels/wasm_simd.h"

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

// Rows of one group have their values in the four lanes of a vector: pairs of 16-bit values, as dot_i16x8 adds them.
constexpr size_t kGroupRows = 4, kPair = 2;
constexpr size_t kTileGroups = kTileRows / kGroupRows;

// Rows `first` and following; those after `last` are `last` again, which changes no maximum.
struct Tile {
  const int8_t* rows;
  size_t bytes, first, last;

  size_t row(size_t i) const { return std::min(first + i, last); }
};

// pairs[pair][group]: the pairs of four rows.
template <size_t kGroups>
void interleave(const Tile& tile, v128_t* pairs) {
  constexpr size_t kStep = 8;
  for (size_t g = 0; g < kGroups; ++g) {
    const int8_t* rows[kGroupRows];
    for (size_t i = 0; i < kGroupRows; ++i) rows[i] = tile.rows + tile.row(g * kGroupRows + i) * tile.bytes;
    v128_t* out = pairs + g;
    for (size_t j = 0; j < tile.bytes; j += kStep) {
      v128_t v[kGroupRows];
      for (size_t i = 0; i < kGroupRows; ++i) v[i] = wasm_i16x8_load8x8(rows[i] + j);
      const v128_t ab_low = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5);
      const v128_t ab_high = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7);
      const v128_t cd_low = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
      const v128_t cd_high = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
      out[0] = wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
      out[kGroups] = wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
      out[2 * kGroups] = wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
      out[3 * kGroups] = wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
      out += kStep / kPair * kGroups;
    }
  }
}

// The scales of a group, as doubles of two rows each.
using GroupScales = v128_t[2];

template <size_t kGroups>
void keep_largest(const v128_t (&products)[kGroups], const GroupScales (&scales)[kGroups], double& largest) {
  v128_t best = wasm_f64x2_splat(largest);
  for (size_t g = 0; g < kGroups; ++g) {
    const v128_t upper = wasm_i64x2_shuffle(products[g], products[g], 1, 1);
    best = wasm_f64x2_pmax(best, wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(products[g]), scales[g][0]));
    best = wasm_f64x2_pmax(best, wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(upper), scales[g][1]));
  }
  largest = std::max(wasm_f64x2_extract_lane(best, 0), wasm_f64x2_extract_lane(best, 1));
}

// Two queries at a time, whose sums and the rows of a tile are as many vectors as there are registers. The last query
// of an odd number is compared twice.
template <size_t kGroups>
void multiply(const WideQueries& queries, const Tile& tile, const float* scales, int16_t* memory, double* largest) {
  auto* const rows = reinterpret_cast<v128_t*>(memory);
  interleave<kGroups>(tile, rows);
  GroupScales wide[kGroups];
  for (size_t i = 0; i < kGroups * kGroupRows; i += 2) {
    wide[i / kGroupRows][i % kGroupRows / 2] = wasm_f64x2_make(scales[tile.row(i)], scales[tile.row(i + 1)]);
  }
  for (size_t q = 0; q < queries.count; q += 2) {
    const size_t next = std::min(q + 1, queries.count - 1);
    const int16_t* a = queries.data + q * tile.bytes;
    const int16_t* b = queries.data + next * tile.bytes;
    v128_t of_a[kGroups], of_b[kGroups];
    for (size_t g = 0; g < kGroups; ++g) of_a[g] = of_b[g] = wasm_i32x4_splat(0);
    const v128_t* row = rows;
    QUINTET_KEEP_LOOP
    for (size_t j = 0; j < tile.bytes; j += kPair, row += kGroups) {
      const v128_t pair_of_a = wasm_v128_load32_splat(a + j), pair_of_b = wasm_v128_load32_splat(b + j);
      for (size_t g = 0; g < kGroups; ++g) {
        of_a[g] = wasm_i32x4_add(of_a[g], wasm_i32x4_dot_i16x8(row[g], pair_of_a));
        of_b[g] = wasm_i32x4_add(of_b[g], wasm_i32x4_dot_i16x8(row[g], pair_of_b));
      }
    }
    keep_largest(of_a, wide, largest[q]);
    keep_largest(of_b, wide, largest[next]);
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

void largest_products(const WideQueries& queries, const VectorRun& rows, const float* scales, int16_t* tile,
                      double* largest) {
  if (queries.count == 0) return;
  for (size_t first = 0; first < rows.count; first += kTileRows) {
    const Tile all = {reinterpret_cast<const int8_t*>(rows.data), rows.bytes, first, rows.count - 1};
    const auto multiply_tile = rows.count - first > kTileRows / 2 ? multiply<kTileGroups> : multiply<kTileGroups / 2>;
    multiply_tile(queries, all, scales, tile, largest);
  }
}

}  // namespace quintet::simd128
