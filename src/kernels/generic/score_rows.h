#pragma once
// The scores of many rows in SIMD registers. `Sums` says what is summed:
//   Element, Score   of the rows, and of the result
//   kStep            elements that one step reads
//   Query            a step of the query, as products need it
//   Sum, add, total  sums in lanes, one step more of them, and the sums as one vector
//   add              of two vectors of sums

#include <cstddef>

#include "kernels/wasm_simd.h"

namespace quintet::generic {

// Rows that are read in parallel. They are far apart, so that each is part of a long run through contiguous memory:
// processors then prefetch for all of them, which is 10 % faster than for one. Adjacent rows in parallel confuse the
// prefetcher and take three times as long.
constexpr size_t kStreams = 4;

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
  typename Sums::Sum sums[kStreams] = {};
  for (size_t s = 0; s < kStreams; ++s) row[s] = rows + s * distance * dimension;
  for (size_t j = 0; j < dimension; j += Sums::kStep) {
    const typename Sums::Query q(query + j);
    for (size_t s = 0; s < kStreams; ++s) sums[s] = Sums::add(sums[s], q, row[s] + j);
  }
  const v128_t vectors[kStreams] = {Sums::total(sums[0]), Sums::total(sums[1]), Sums::total(sums[2]),
                                    Sums::total(sums[3])};
  const v128_t totals = sum_lanes<Sums>(vectors);
  wasm_v128_store32_lane(scores, totals, 0);
  wasm_v128_store32_lane(scores + distance, totals, 1);
  wasm_v128_store32_lane(scores + 2 * distance, totals, 2);
  wasm_v128_store32_lane(scores + 3 * distance, totals, 3);
}

template <class Sums>
void score_one(const typename Sums::Element* query, const typename Sums::Element* row, size_t dimension,
               typename Sums::Score* score) {
  typename Sums::Sum sum = {};
  for (size_t j = 0; j < dimension; j += Sums::kStep) sum = Sums::add(sum, typename Sums::Query(query + j), row + j);
  const v128_t vectors[kStreams] = {Sums::total(sum)};
  wasm_v128_store32_lane(score, sum_lanes<Sums>(vectors), 0);
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

}  // namespace quintet::generic
