#pragma once
// Products of queries with keys of the KV cache. A key is widened once for all rows of a tile; each row's sums run in
// the same order in every tile.

#include "kernels/generic/kv_values.h"

namespace quintet::generic {

struct KvScoresOperands {
  const float* query;
  size_t query_stride;
  const KvRowLayout& layout;
  const std::byte* keys;
  size_t count;
  float alpha;
  float* scores;
  size_t scores_stride;
};

template <class Arithmetic, size_t kRows>
[[gnu::always_inline]] inline void add_products(const float* const (&query)[kRows], size_t d, v128_t low, v128_t high,
                                                v128_t (&sums)[kRows][2]) {
  for (size_t r = 0; r < kRows; ++r) {
    sums[r][0] = Arithmetic::madd(wasm_v128_load(query[r] + d), low, sums[r][0]);
    sums[r][1] = Arithmetic::madd(wasm_v128_load(query[r] + d + 4), high, sums[r][1]);
  }
}

// The last values of a row whose length is not a multiple of kKvStep.
template <class Arithmetic, size_t kRows>
[[gnu::noinline]] void add_last_products(const float* const (&query)[kRows], size_t d, size_t count, v128_t low,
                                         v128_t high, v128_t (&sums)[kRows][2]) {
  alignas(16) float padded[kRows][kKvStep] = {};
  const float* rows[kRows];
  for (size_t r = 0; r < kRows; ++r) {
    std::memcpy(padded[r], query[r] + d, count * sizeof(float));
    rows[r] = padded[r];
  }
  add_products<Arithmetic>(rows, 0, low, high, sums);
}

// The products of one key.
template <class Arithmetic, class Values, size_t kRows>
[[gnu::always_inline]] inline void score_key(Values& values, const float* const (&query)[kRows],
                                             const KvRowLayout& layout, const std::byte* key, v128_t (&totals)[kRows]) {
  const size_t group = Values::kScaled ? layout.group : layout.head_dim;
  for (v128_t& total : totals) total = wasm_f32x4_splat(0);
  for (size_t begin = 0; begin < layout.head_dim; begin += group) {
    v128_t sums[kRows][2];
    for (auto& row_sums : sums) row_sums[0] = row_sums[1] = wasm_f32x4_splat(0);
    v128_t low, high;
    size_t d = begin;
    const size_t end = begin + group;
    for (; d + kKvStep <= end; d += kKvStep) {
      values.load(key + Values::bytes(d), low, high);
      add_products<Arithmetic>(query, d, low, high, sums);
    }
    if (d < end) {
      load_last(values, key + Values::bytes(d), end - d, low, high);
      add_last_products<Arithmetic>(query, d, end - d, low, high, sums);
    }
    const v128_t scale = wasm_f32x4_splat(Values::kScaled ? kv_scale(layout, key, begin / group) : 1);
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t sum = wasm_f32x4_add(sums[r][0], sums[r][1]);
      totals[r] = Values::kScaled ? Arithmetic::madd(sum, scale, totals[r]) : sum;
    }
  }
}

// kRows queries from row `row` on.
template <class Arithmetic, class Values, size_t kRows>
[[gnu::noinline]] void score_tile(const KvScoresOperands& in, size_t row) {
  const float* query[kRows];
  for (size_t r = 0; r < kRows; ++r) query[r] = in.query + (row + r) * in.query_stride;
  float* const scores = in.scores + row * in.scores_stride;
  const std::byte* key = in.keys;
  Values values;
  for (size_t i = 0; i < in.count; ++i, key += in.layout.bytes) {
    v128_t totals[kRows];
    score_key<Arithmetic>(values, query, in.layout, key, totals);
    for (size_t r = 0; r < kRows; ++r) scores[r * in.scores_stride + i] = in.alpha * horizontal_sum(totals[r]);
  }
  if (values.finished()) return;
  if constexpr (!std::is_same_v<Values, typename Values::Exact>) {
    score_tile<Arithmetic, typename Values::Exact, kRows>(in, row);
  }
}

template <class Arithmetic>
inline void kv_scores(const KvScoresOperands& in, size_t rows) {
  with_kv_values(in.layout.type, [&]<class Values> {
    size_t row = 0;
    for (; row + 4 <= rows; row += 4) score_tile<Arithmetic, Values, 4>(in, row);
    if (row + 2 <= rows) {
      score_tile<Arithmetic, Values, 2>(in, row);
      row += 2;
    }
    if (row < rows) score_tile<Arithmetic, Values, 1>(in, row);
  });
}

}  // namespace quintet::generic
