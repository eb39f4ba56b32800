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

struct SumsF32 {
  using Element = float;
  using Score = float;
  static constexpr size_t kStep = 4;

  struct Query {
    v128_t values;
    explicit Query(const float* p) : values(wasm_v128_load(p)) {}
  };
  static v128_t add(v128_t sum, const Query& query, const float* row) {
    return wasm_f32x4_add(sum, wasm_f32x4_mul(query.values, wasm_v128_load(row)));
  }
  static v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
};

struct SumsI8 {
  using Element = int8_t;
  using Score = int32_t;
  static constexpr size_t kStep = 16;

  struct Query {
    v128_t low, high;
    explicit Query(const int8_t* p) : low(wasm_i16x8_load8x8(p)), high(wasm_i16x8_load8x8(p + 8)) {}
  };
  static v128_t add(v128_t sum, const Query& query, const int8_t* row) {
    const v128_t low = wasm_i32x4_dot_i16x8(query.low, wasm_i16x8_load8x8(row));
    const v128_t high = wasm_i32x4_dot_i16x8(query.high, wasm_i16x8_load8x8(row + 8));
    return wasm_i32x4_add(sum, wasm_i32x4_add(low, high));
  }
  static v128_t add(v128_t a, v128_t b) { return wasm_i32x4_add(a, b); }
};

// The sums of the lanes of four vectors, each added from the first lane to the last.
template <class Sums>
v128_t sum_lanes(const v128_t* v) {
  const v128_t ab_low = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5);
  const v128_t ab_high = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
  const v128_t cd_high = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
  v128_t sum = Sums::add(wasm_i64x2_shuffle(ab_low, cd_low, 0, 2), wasm_i64x2_shuffle(ab_low, cd_low, 1, 3));
  sum = Sums::add(sum, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
  return Sums::add(sum, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
}

// Scores row 0 and the rows at `distance`, 2 `distance`, ... from it.
template <class Sums>
void score_streams(const typename Sums::Element* query, const typename Sums::Element* rows, size_t distance,
                   size_t dimension, typename Sums::Score* scores) {
  const typename Sums::Element* row[kStreams];
  v128_t sums[kStreams];
  for (size_t s = 0; s < kStreams; ++s) {
    row[s] = rows + s * distance * dimension;
    sums[s] = wasm_i32x4_splat(0);
  }
  for (size_t j = 0; j < dimension; j += Sums::kStep) {
    const typename Sums::Query q(query + j);
    for (size_t s = 0; s < kStreams; ++s) sums[s] = Sums::add(sums[s], q, row[s] + j);
  }
  const v128_t totals = sum_lanes<Sums>(sums);
  wasm_v128_store32_lane(scores, totals, 0);
  wasm_v128_store32_lane(scores + distance, totals, 1);
  wasm_v128_store32_lane(scores + 2 * distance, totals, 2);
  wasm_v128_store32_lane(scores + 3 * distance, totals, 3);
}

template <class Sums>
void score_one(const typename Sums::Element* query, const typename Sums::Element* row, size_t dimension,
               typename Sums::Score* score) {
  v128_t sums[kStreams];
  for (v128_t& sum : sums) sum = wasm_i32x4_splat(0);
  QUINTET_KEEP_LOOP
  for (size_t j = 0; j < dimension; j += Sums::kStep) {
    sums[0] = Sums::add(sums[0], typename Sums::Query(query + j), row + j);
  }
  wasm_v128_store32_lane(score, sum_lanes<Sums>(sums), 0);
}

template <class Sums>
void score_rows(const typename Sums::Element* query, const typename Sums::Element* rows, size_t count, size_t dimension,
                typename Sums::Score* scores) {
  const size_t distance = count / kStreams;
  for (size_t i = 0; i < distance; ++i) {
    score_streams<Sums>(query, rows + i * dimension, distance, dimension, scores + i);
  }
  for (size_t i = distance * kStreams; i < count; ++i)
    score_one<Sums>(query, rows + i * dimension, dimension, scores + i);
}

}  // namespace

void score_rows_f32(const float* query, const float* rows, size_t count, size_t dimension, float* scores) {
  score_rows<SumsF32>(query, rows, count, dimension, scores);
}

void score_rows_i8(const int8_t* query, const int8_t* rows, size_t count, size_t dimension, int32_t* scores) {
  score_rows<SumsI8>(query, rows, count, dimension, scores);
}

// In 64-bit words, whose bits processors count in one instruction; SIMD128 has that only for bytes.
void score_rows_binary(const uint8_t* query, const uint8_t* rows, size_t count, size_t bytes, int32_t* scores) {
  const auto* q = reinterpret_cast<const uint64_t*>(query);
  const auto* row = reinterpret_cast<const uint64_t*>(rows);
  const size_t words = bytes / sizeof(uint64_t);
  for (size_t i = 0; i < count; ++i, row += words) {
    int32_t differing = 0;
    for (size_t j = 0; j < words; ++j) differing += std::popcount(q[j] ^ row[j]);
    scores[i] = differing;
  }
}

}  // namespace quintet::simd128
