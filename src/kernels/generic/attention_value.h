#pragma once
// Weighted sums of values of the KV cache. For each row of a tile, some elements are summed over some positions in
// registers. A value is widened once for all rows, and each element is summed over the positions in order.

#include <algorithm>

#include "kernels/attention.h"
#include "kernels/generic/kv_values.h"
#include "kernels/generic/loops.h"

namespace quintet::generic {

// The number of positions in one pass.
constexpr size_t kMixPositions = 32;

// The factors of some positions for kRows rows: weights, times the scales of a group.
template <size_t kRows>
using MixFactors = float[kRows][kMixPositions];

// Values of some positions from one element on, and where their sums are.
struct ValueSlice {
  ValueSlice at(size_t bytes, size_t elements) const {
    return {rows + bytes, row_bytes, count, out.from_column(elements)};
  }

  const std::byte* rows;
  size_t row_bytes;
  size_t count;
  Rows out;
};

// The sums of kSteps * kKvStep elements.
template <size_t kRows, size_t kSteps>
using MixSums = v128_t[kRows][kSteps][2];

template <class Arithmetic, size_t kRows, size_t kSteps>
[[gnu::always_inline]] inline void add_position(const MixFactors<kRows>& factors, size_t i, size_t step, v128_t low,
                                                v128_t high, MixSums<kRows, kSteps>& sums) {
  for (size_t r = 0; r < kRows; ++r) {
    const v128_t factor = wasm_v128_load32_splat(&factors[r][i]);
    sums[r][step][0] = Arithmetic::madd(factor, low, sums[r][step][0]);
    sums[r][step][1] = Arithmetic::madd(factor, high, sums[r][step][1]);
  }
}

template <class Arithmetic, class Values, size_t kRows, size_t kSteps>
[[gnu::noinline]] void mix_steps(const MixFactors<kRows>& factors, const ValueSlice& slice) {
  MixSums<kRows, kSteps> sums;
  for (size_t r = 0; r < kRows; ++r) {
    const float* const out = slice.out.row(r);
    for (size_t s = 0; s < kSteps; ++s) {
      sums[r][s][0] = wasm_v128_load(out + s * kKvStep);
      sums[r][s][1] = wasm_v128_load(out + s * kKvStep + 4);
    }
  }
  const Values values;
  const std::byte* row = slice.rows;
  for (size_t i = 0; i < slice.count; ++i, row += slice.row_bytes) {
    repeat<kSteps>([&](size_t s) __attribute__((always_inline)) {
      v128_t low, high;
      values.load(row + Values::bytes(s * kKvStep), low, high);
      add_position<Arithmetic, kRows, kSteps>(factors, i, s, low, high, sums);
    });
  }
  for (size_t r = 0; r < kRows; ++r) {
    float* const out = slice.out.row(r);
    for (size_t s = 0; s < kSteps; ++s) {
      wasm_v128_store(out + s * kKvStep, sums[r][s][0]);
      wasm_v128_store(out + s * kKvStep + 4, sums[r][s][1]);
    }
  }
}

// Adds the last elements, fewer than kKvStep.
template <class Arithmetic, size_t kRows>
[[gnu::noinline]] void mix_last(const MixFactors<kRows>& factors, KvType type, const ValueSlice& slice,
                                size_t elements) {
  alignas(16) float padded[kRows][kKvStep] = {};
  MixSums<kRows, 1> sums;
  for (size_t r = 0; r < kRows; ++r) {
    std::memcpy(padded[r], slice.out.row(r), elements * sizeof(float));
    sums[r][0][0] = wasm_v128_load(padded[r]);
    sums[r][0][1] = wasm_v128_load(padded[r] + 4);
  }
  for (size_t i = 0; i < slice.count; ++i) {
    v128_t low, high;
    load_last(type, slice.rows + i * slice.row_bytes, elements, low, high);
    add_position<Arithmetic, kRows, 1>(factors, i, 0, low, high, sums);
  }
  for (size_t r = 0; r < kRows; ++r) {
    wasm_v128_store(padded[r], sums[r][0][0]);
    wasm_v128_store(padded[r] + 4, sums[r][0][1]);
    std::memcpy(slice.out.row(r), padded[r], elements * sizeof(float));
  }
}

// Adds `elements` with common factors, in eight sums at a time: with fewer, each addition would wait for the previous
// one.
template <class Arithmetic, class Values, size_t kRows>
inline void mix_elements(const MixFactors<kRows>& factors, const ValueSlice& slice, size_t elements) {
  constexpr size_t kSteps = 4 / kRows;
  const auto mix = [&]<size_t kCount>(size_t d) {
    mix_steps<Arithmetic, Values, kRows, kCount>(factors, slice.at(Values::bytes(d), d));
  };
  size_t d = 0;
  for (; d + kSteps * kKvStep <= elements; d += kSteps * kKvStep) mix.template operator()<kSteps>(d);
  for (; d + kKvStep <= elements; d += kKvStep) mix.template operator()<1>(d);
  if (d == elements) return;
  mix_last<Arithmetic, kRows>(factors, Values::kType, slice.at(Values::bytes(d), d), elements - d);
}

// Positions [first, first + count) of a group of elements that share a scale.
struct MixGroup {
  size_t first, count;
  size_t begin, end;
  float scales[kMixPositions];
};

// Adds a group for kRows rows from `row` on.
template <class Arithmetic, class Values, size_t kRows>
[[gnu::noinline]] void mix_tile(const ValueOperands& in, size_t row, const MixGroup& group) {
  MixFactors<kRows> factors;
  for (size_t r = 0; r < kRows; ++r) {
    const float* const weights = in.weights.row(row + r) + group.first;
    for (size_t i = 0; i < group.count; ++i) {
      factors[r][i] = Values::kScaled ? weights[i] * group.scales[i] : weights[i];
    }
  }
  const ValueSlice slice = {.rows = in.values.row(group.first),
                            .row_bytes = in.values.layout.bytes,
                            .count = group.count,
                            .out = in.out.from_row(row)};
  mix_elements<Arithmetic, Values, kRows>(factors, slice.at(Values::bytes(group.begin), group.begin),
                                          group.end - group.begin);
}

template <class Arithmetic, class Values>
inline void mix_group(const ValueOperands& in, MixGroup& group) {
  if constexpr (Values::kScaled) {
    const KvRowLayout& layout = in.values.layout;
    const std::byte* row = in.values.row(group.first);
    for (size_t i = 0; i < group.count; ++i, row += layout.bytes) {
      group.scales[i] = kv_scale(layout, row, group.begin / layout.group);
    }
  }
  size_t row = 0;
  for (; row + 4 <= in.rows; row += 4) mix_tile<Arithmetic, Values, 4>(in, row, group);
  for (; row < in.rows; ++row) mix_tile<Arithmetic, Values, 1>(in, row, group);
}

template <class Arithmetic>
inline void attention_value(const ValueOperands& in) {
  const KvRowLayout& layout = in.values.layout;
  with_kv_values(layout.type, [&]<class Values> {
    const size_t size = Values::kScaled ? layout.group : layout.head_dim;
    MixGroup group;
    for (group.first = 0; group.first < in.values.count; group.first += kMixPositions) {
      group.count = std::min(kMixPositions, in.values.count - group.first);
      for (group.begin = 0; group.begin < layout.head_dim; group.begin = group.end) {
        group.end = group.begin + size;
        mix_group<Arithmetic, Values>(in, group);
      }
    }
  });
}

}  // namespace quintet::generic
