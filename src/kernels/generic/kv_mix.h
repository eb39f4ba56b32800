#pragma once
// Weighted sums of values of the KV cache. Eight elements of each row of a tile are summed over some positions in
// registers; a value is widened once for all rows, and each element is summed over the positions in order.

#include <algorithm>

#include "kernels/generic/kv_values.h"

namespace quintet::generic {

struct KvMixOperands {
  const float* weights;
  size_t weights_stride;
  const KvRowLayout& layout;
  const std::byte* values;
  float* out;
  size_t out_stride;
};

constexpr size_t kMixPositions = 32;  // in one pass

template <size_t kRows>
using MixFactors = float[kRows][kMixPositions];

template <size_t kRows>
using MixSums = v128_t[kRows][2];

// sums += factors * values, for elements whose bytes begin at `first` of the first position; `load(p, low, high)` reads
// them.
template <class Arithmetic, size_t kRows, class Load>
[[gnu::always_inline]] inline void mix_step(const MixFactors<kRows>& factors, const std::byte* first, size_t row_bytes,
                                            size_t count, Load load, MixSums<kRows>& sums) {
  for (size_t i = 0; i < count; ++i, first += row_bytes) {
    v128_t low, high;
    load(first, low, high);
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t factor = wasm_v128_load32_splat(&factors[r][i]);
      sums[r][0] = Arithmetic::madd(factor, low, sums[r][0]);
      sums[r][1] = Arithmetic::madd(factor, high, sums[r][1]);
    }
  }
}

template <class Arithmetic, class Values, size_t kRows>
[[gnu::noinline]] void mix_last(const MixFactors<kRows>& factors, const std::byte* first, size_t row_bytes,
                                size_t count, size_t columns, float* out, size_t out_stride) {
  alignas(16) float padded[kRows][kKvStep] = {};
  MixSums<kRows> sums;
  for (size_t r = 0; r < kRows; ++r) {
    std::memcpy(padded[r], out + r * out_stride, columns * sizeof(float));
    sums[r][0] = wasm_v128_load(padded[r]);
    sums[r][1] = wasm_v128_load(padded[r] + 4);
  }
  typename Values::Exact values;
  mix_step<Arithmetic, kRows>(
      factors, first, row_bytes, count,
      [&](const std::byte* p, v128_t& low, v128_t& high) { load_last(values, p, columns, low, high); }, sums);
  for (size_t r = 0; r < kRows; ++r) {
    wasm_v128_store(padded[r], sums[r][0]);
    wasm_v128_store(padded[r] + 4, sums[r][1]);
    std::memcpy(out + r * out_stride, padded[r], columns * sizeof(float));
  }
}

// Elements [begin, end), which share their factors.
template <class Arithmetic, class Values, size_t kRows>
[[gnu::noinline]] void mix_columns(const MixFactors<kRows>& factors, const std::byte* rows, size_t row_bytes,
                                   size_t count, size_t begin, size_t end, float* out, size_t out_stride) {
  size_t d = begin;
  for (; d + kKvStep <= end; d += kKvStep) {
    MixSums<kRows> sums;
    for (size_t r = 0; r < kRows; ++r) {
      sums[r][0] = wasm_v128_load(out + r * out_stride + d);
      sums[r][1] = wasm_v128_load(out + r * out_stride + d + 4);
    }
    Values values;
    mix_step<Arithmetic, kRows>(
        factors, rows + Values::bytes(d), row_bytes, count,
        [&](const std::byte* p, v128_t& low, v128_t& high) { values.load(p, low, high); }, sums);
    if constexpr (!std::is_same_v<Values, typename Values::Exact>) {
      if (!values.finished()) {
        return mix_columns<Arithmetic, typename Values::Exact, kRows>(factors, rows, row_bytes, count, d, end, out,
                                                                      out_stride);
      }
    }
    for (size_t r = 0; r < kRows; ++r) {
      wasm_v128_store(out + r * out_stride + d, sums[r][0]);
      wasm_v128_store(out + r * out_stride + d + 4, sums[r][1]);
    }
  }
  if (d < end) {
    mix_last<Arithmetic, Values, kRows>(factors, rows + Values::bytes(d), row_bytes, count, end - d, out + d,
                                        out_stride);
  }
}

// kRows rows from `row` on, positions [first, first + count), one group of elements.
template <class Arithmetic, class Values, size_t kRows>
inline void mix_tile(const KvMixOperands& in, size_t row, size_t first, size_t count, size_t begin, size_t end,
                     const float* scales) {
  MixFactors<kRows> factors;
  for (size_t r = 0; r < kRows; ++r) {
    const float* const weights = in.weights + (row + r) * in.weights_stride + first;
    for (size_t i = 0; i < count; ++i) factors[r][i] = Values::kScaled ? weights[i] * scales[i] : weights[i];
  }
  mix_columns<Arithmetic, Values, kRows>(factors, in.values + first * in.layout.bytes, in.layout.bytes, count, begin,
                                         end, in.out + row * in.out_stride, in.out_stride);
}

template <class Arithmetic, class Values>
inline void mix_group(const KvMixOperands& in, size_t rows, size_t first, size_t count, size_t begin, size_t end) {
  float scales[kMixPositions];
  if constexpr (Values::kScaled) {
    const size_t group = begin / in.layout.group;
    for (size_t i = 0; i < count; ++i) scales[i] = kv_scale(in.layout, in.values + (first + i) * in.layout.bytes, group);
  }
  size_t row = 0;
  for (; row + 4 <= rows; row += 4) mix_tile<Arithmetic, Values, 4>(in, row, first, count, begin, end, scales);
  if (row + 2 <= rows) {
    mix_tile<Arithmetic, Values, 2>(in, row, first, count, begin, end, scales);
    row += 2;
  }
  if (row < rows) mix_tile<Arithmetic, Values, 1>(in, row, first, count, begin, end, scales);
}

template <class Arithmetic>
inline void kv_mix(const KvMixOperands& in, size_t rows, size_t positions) {
  with_kv_values(in.layout.type, [&]<class Values> {
    const size_t group = Values::kScaled ? in.layout.group : in.layout.head_dim;
    for (size_t first = 0; first < positions; first += kMixPositions) {
      const size_t count = std::min(kMixPositions, positions - first);
      for (size_t begin = 0; begin < in.layout.head_dim; begin += group) {
        mix_group<Arithmetic, Values>(in, rows, first, count, begin, begin + group);
      }
    }
  });
}

}  // namespace quintet::generic
