#include "kernels/score_rows.h"

#include <bit>

#include "kernels/generic/loops.h"
#include "kernels/wasm_simd.h"

namespace quintet::simd128 {
namespace {

// Rows that are read in parallel. They are far apart, so that each is part of a long run through contiguous memory:
// processors then prefetch for all of them, which is 10 % faster than for one. Adjacent rows in parallel confuse the
// prefetcher and take three times as long.
constexpr size_t kStreams = 4;

// Rows are padded to multiples of this. No row is empty: loops that end with their test compile to a third less code.
constexpr size_t kStep = 16;

struct Query {
  v128_t low, high;
  explicit Query(const int8_t* p) : low(wasm_i16x8_load8x8(p)), high(wasm_i16x8_load8x8(p + 8)) {}
};

v128_t add_products(v128_t sum, const Query& query, const int8_t* row) {
  const v128_t low = wasm_i32x4_dot_i16x8(query.low, wasm_i16x8_load8x8(row));
  const v128_t high = wasm_i32x4_dot_i16x8(query.high, wasm_i16x8_load8x8(row + 8));
  return wasm_i32x4_add(sum, wasm_i32x4_add(low, high));
}

// The sums of the lanes of four vectors.
v128_t sum_lanes(const v128_t* v) {
  const v128_t ab_low = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5);
  const v128_t ab_high = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
  const v128_t cd_high = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
  v128_t sum = wasm_i32x4_add(wasm_i64x2_shuffle(ab_low, cd_low, 0, 2), wasm_i64x2_shuffle(ab_low, cd_low, 1, 3));
  sum = wasm_i32x4_add(sum, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
  return wasm_i32x4_add(sum, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
}

// Scores row 0 and the rows at `distance`, 2 `distance`, ... from it.
void score_streams(const int8_t* query, const int8_t* rows, size_t distance, size_t dimension, int32_t* scores) {
  const int8_t* row[kStreams];
  v128_t sums[kStreams];
  for (size_t s = 0; s < kStreams; ++s) {
    row[s] = rows + s * distance * dimension;
    sums[s] = wasm_i32x4_splat(0);
  }
  size_t j = 0;
  do {
    const Query q(query + j);
    for (size_t s = 0; s < kStreams; ++s) sums[s] = add_products(sums[s], q, row[s] + j);
    j += kStep;
  } while (j < dimension);
  const v128_t totals = sum_lanes(sums);
  wasm_v128_store32_lane(scores, totals, 0);
  wasm_v128_store32_lane(scores + distance, totals, 1);
  wasm_v128_store32_lane(scores + 2 * distance, totals, 2);
  wasm_v128_store32_lane(scores + 3 * distance, totals, 3);
}

void score_one(const int8_t* query, const int8_t* row, size_t dimension, int32_t* score) {
  v128_t sum = wasm_i32x4_splat(0);
  size_t j = 0;
  QUINTET_KEEP_LOOP
  do {
    sum = add_products(sum, Query(query + j), row + j);
    j += kStep;
  } while (j < dimension);
  *score = wasm_i32x4_extract_lane(sum, 0) + wasm_i32x4_extract_lane(sum, 1) + wasm_i32x4_extract_lane(sum, 2) +
           wasm_i32x4_extract_lane(sum, 3);
}

// Two floats as doubles.
v128_t load_two(const float* values) { return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(values)); }

}  // namespace

// The index scores single rows by it: the few whose int8 sketches do not rule them out.
void score_rows_f32(const double* query, const float* rows, size_t count, size_t dimension, double* scores) {
  for (size_t i = 0; i < count; ++i, rows += dimension) {
    v128_t low = wasm_f64x2_splat(0);
    v128_t high = low;
    size_t j = 0;
    QUINTET_KEEP_LOOP
    do {
      low = wasm_f64x2_add(low, wasm_f64x2_mul(wasm_v128_load(query + j), load_two(rows + j)));
      high = wasm_f64x2_add(high, wasm_f64x2_mul(wasm_v128_load(query + j + 2), load_two(rows + j + 2)));
      j += 4;
    } while (j < dimension);
    scores[i] = wasm_f64x2_extract_lane(low, 0) + wasm_f64x2_extract_lane(low, 1) + wasm_f64x2_extract_lane(high, 0) +
                wasm_f64x2_extract_lane(high, 1);
  }
}

void score_rows_i8(const int8_t* query, const int8_t* rows, size_t count, size_t dimension, int32_t* scores) {
  const size_t distance = count / kStreams;
  for (size_t i = 0; i < distance; ++i) {
    score_streams(query, rows + i * dimension, distance, dimension, scores + i);
  }
  for (size_t i = distance * kStreams; i < count; ++i) score_one(query, rows + i * dimension, dimension, scores + i);
}

// Counts in 64-bit words, whose bits processors count in one instruction; SIMD128 has that only for bytes.
void score_rows_binary(const uint8_t* query, const uint8_t* rows, size_t count, size_t bytes, int32_t* scores) {
  const auto* q = reinterpret_cast<const uint64_t*>(query);
  const auto* row = reinterpret_cast<const uint64_t*>(rows);
  const size_t words = bytes / sizeof(uint64_t);
  for (size_t i = 0; i < count; ++i, row += words) {
    int32_t differing = 0;
    size_t j = 0;
    do {
      differing += std::popcount(q[j] ^ row[j]);
    } while (++j < words);
    scores[i] = differing;
  }
}

}  // namespace quintet::simd128
