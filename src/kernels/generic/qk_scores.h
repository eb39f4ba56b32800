#pragma once
// Products of queries with keys of the KV cache. A key is widened once for all rows of a tile; the sums of each row
// have the same order in every tile.

#include <algorithm>

#include "kernels/attention.h"
#include "kernels/generic/kv_values.h"
#include "kernels/generic/loops.h"

namespace quintet::generic {

// Products are added to two vectors, for the lower and the upper four of every eight elements.
template <size_t kRows, size_t kKeys>
using KeySums = v128_t[kRows][kKeys][2];

template <class Arithmetic, size_t kRows, size_t kKeys>
[[gnu::always_inline]] inline void add_products(const float* const (&query)[kRows], size_t d,
                                                const v128_t (&keys)[kKeys][2], KeySums<kRows, kKeys>& sums) {
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t half = 0; half < 2; ++half) {
      const v128_t x = wasm_v128_load(query[r] + d + 4 * half);
      for (size_t k = 0; k < kKeys; ++k) sums[r][k][half] = Arithmetic::madd(x, keys[k][half], sums[r][k][half]);
    }
  }
}

// Sets `sums` to the products of the last elements of a row, if they are fewer than kKvStep.
template <class Arithmetic, size_t kRows, size_t kKeys>
[[gnu::noinline]] void add_last_products(const float* const (&query)[kRows], KvType type,
                                         const std::byte* const (&key)[kKeys], size_t offset, size_t count,
                                         KeySums<kRows, kKeys>& sums) {
  v128_t keys[kKeys][2];
  for (size_t k = 0; k < kKeys; ++k) load_last(type, key[k] + offset, count, keys[k][0], keys[k][1]);
  alignas(16) float padded[kRows][kKvStep] = {};
  const float* rows[kRows];
  for (size_t r = 0; r < kRows; ++r) {
    std::memcpy(padded[r], query[r], count * sizeof(float));
    rows[r] = padded[r];
    for (auto& key_sums : sums[r]) key_sums[0] = key_sums[1] = wasm_f32x4_splat(0);
  }
  add_products<Arithmetic>(rows, 0, keys, sums);
}

// The products of elements [begin, end) of kKeys keys.
template <class Arithmetic, class Values, size_t kRows, size_t kKeys>
[[gnu::always_inline]] inline void add_elements(const Values& values, const float* const (&query)[kRows],
                                                const std::byte* const (&key)[kKeys], size_t begin, size_t end,
                                                KeySums<kRows, kKeys>& sums) {
  size_t d = begin;
  const auto step = [&](size_t i) __attribute__((always_inline)) {
    v128_t keys[kKeys][2];
    for (size_t k = 0; k < kKeys; ++k) {
      values.load(key[k] + Values::bytes(d + i * kKvStep), keys[k][0], keys[k][1]);
    }
    add_products<Arithmetic>(query, d + i * kKvStep, keys, sums);
  };
  constexpr size_t kUnrolled = 2;
  for (; d + kUnrolled * kKvStep <= end; d += kUnrolled * kKvStep) repeat<kUnrolled>(step);
  if (d + kKvStep <= end) {
    step(0);
    d += kKvStep;
  }
  if (d == end) return;
  const float* last[kRows];
  for (size_t r = 0; r < kRows; ++r) last[r] = query[r] + d;
  // A separate function, so that the others need no memory.
  KeySums<kRows, kKeys> last_sums;
  add_last_products<Arithmetic, kRows, kKeys>(last, Values::kType, key, Values::bytes(d), end - d, last_sums);
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t k = 0; k < kKeys; ++k) {
      for (size_t half = 0; half < 2; ++half) {
        sums[r][k][half] = wasm_f32x4_add(sums[r][k][half], last_sums[r][k][half]);
      }
    }
  }
}

template <class Arithmetic, class Values, size_t kRows, size_t kKeys>
[[gnu::always_inline]] inline void score_keys(const Values& values, const float* const (&query)[kRows],
                                              const KvRowLayout& layout, const std::byte* const (&key)[kKeys],
                                              v128_t (&totals)[kRows][kKeys]) {
  const size_t group = Values::kScaled ? layout.group : layout.head_dim;
  for (auto& row_totals : totals) {
    for (v128_t& total : row_totals) total = wasm_f32x4_splat(0);
  }
  for (size_t begin = 0; begin < layout.head_dim; begin += group) {
    KeySums<kRows, kKeys> sums;
    for (auto& row_sums : sums) {
      for (auto& key_sums : row_sums) key_sums[0] = key_sums[1] = wasm_f32x4_splat(0);
    }
    add_elements<Arithmetic, Values, kRows, kKeys>(values, query, key, begin, begin + group, sums);
    for (size_t k = 0; k < kKeys; ++k) {
      const float scale = Values::kScaled ? kv_scale(layout, key[k], begin / group) : 1;
      for (size_t r = 0; r < kRows; ++r) {
        const v128_t sum = wasm_f32x4_add(sums[r][k][0], sums[r][k][1]);
        totals[r][k] = Values::kScaled ? Arithmetic::madd(sum, wasm_f32x4_splat(scale), totals[r][k]) : sum;
      }
    }
  }
}

// horizontal_sum() of four vectors.
inline v128_t horizontal_sums(v128_t a, v128_t b, v128_t c, v128_t d) {
  const v128_t ab = wasm_f32x4_add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
  const v128_t cd = wasm_f32x4_add(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
  return wasm_f32x4_add(wasm_i64x2_shuffle(ab, cd, 0, 2), wasm_i64x2_shuffle(ab, cd, 1, 3));
}

// Stores the first `count` scores of each row: four keys and one row, or two keys and two rows.
template <size_t kRows, size_t kKeys>
[[gnu::always_inline]] inline void store_scores(const v128_t (&totals)[kRows][kKeys], float alpha, float* scores,
                                                size_t stride, size_t count) {
  const v128_t* const t = totals[0];
  const v128_t four = wasm_f32x4_mul(wasm_f32x4_splat(alpha), horizontal_sums(t[0], t[1], t[2], t[3]));
  if (count < kKeys) {
    alignas(16) float lanes[4];
    wasm_v128_store(lanes, four);
    for (size_t r = 0; r < kRows; ++r) std::memcpy(scores + r * stride, lanes + r * kKeys, count * sizeof(float));
  } else if constexpr (kRows == 1) {
    wasm_v128_store(scores, four);
  } else {
    wasm_v128_store64_lane(scores, four, 0);
    wasm_v128_store64_lane(scores + stride, four, 1);
  }
}

// The scores of kRows queries from row `row` on.
template <class Arithmetic, class Values, size_t kRows>
[[gnu::noinline]] void score_tile(const ScoreOperands& in, size_t row) {
  constexpr size_t kKeys = 4 / kRows;
  const float* query[kRows];
  for (size_t r = 0; r < kRows; ++r) query[r] = in.queries.row(row + r);
  float* const scores = in.scores.row(row);
  // Copies, because a store of scores might change the operands for all that the compiler knows.
  const KvRows keys = in.keys;
  const float alpha = in.alpha;
  const size_t stride = in.scores.stride;
  const Values values;
  for (size_t i = 0; i < keys.count; i += kKeys) {
    // Beyond the last key, it is multiplied again and not stored.
    const std::byte* key[kKeys];
    for (size_t k = 0; k < kKeys; ++k) key[k] = keys.row(std::min(i + k, keys.count - 1));
    v128_t totals[kRows][kKeys];
    score_keys<Arithmetic, Values, kRows, kKeys>(values, query, keys.layout, key, totals);
    store_scores(totals, alpha, scores + i, stride, std::min(kKeys, keys.count - i));
  }
}

template <class Arithmetic>
inline void qk_scores(const ScoreOperands& in) {
  with_kv_values(in.keys.layout.type, [&]<class Values> {
    size_t row = 0;
    for (; row + 2 <= in.rows; row += 2) score_tile<Arithmetic, Values, 2>(in, row);
    if (row < in.rows) score_tile<Arithmetic, Values, 1>(in, row);
  });
}

}  // namespace quintet::generic
