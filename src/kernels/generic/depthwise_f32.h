#pragma once
// The depthwise convolution: four channels of four neighboring outputs at a time. The windows of neighbors overlap, so
// each pixel of a row is loaded once for all of them, and so is each weight. All channels of four outputs are computed
// before the next four, so that their pixels, of which all channels are neighbors in memory, stay in the first-level
// cache. Every sum runs over its window row by row in one accumulator.

#include <algorithm>

#include "kernels/depthwise_f32.h"
#include "kernels/generic/loops.h"
#include "kernels/generic/vector.h"

namespace quintet::generic {

// A row of outputs. Functions copy it: a vector may be stored anywhere, so a compiler would load members of a reference
// again after each store.
struct DepthwiseRow {
  DepthwiseRow(const DepthwiseF32Operands& in, const FloatEpilogue& epilogue, size_t y)
      : width(in.grid.width),
        channels(in.grid.channels),
        kernel(in.kernel),
        stride(in.stride),
        row_stride(in.row_stride),
        windows(in.input + y * in.stride * in.row_stride),
        weight(in.weight),
        bias(epilogue.bias),
        residual(epilogue.residual == nullptr ? nullptr : epilogue.residual + y * in.grid.row_stride),
        output(in.output + y * in.grid.row_stride),
        min(wasm_f32x4_splat(epilogue.min)),
        max(wasm_f32x4_splat(epilogue.max)) {}

  // Channels that come in fours.
  size_t whole_channels() const { return channels & ~size_t{3}; }

  // Both functions return their first operand if that is NaN, so NaN stays NaN.
  v128_t clamped(v128_t y) const { return wasm_f32x4_pmin(wasm_f32x4_pmax(y, min), max); }

  size_t width, channels, kernel, stride, row_stride;
  const float* windows;  // the first
  const float* weight;
  const float *bias, *residual;
  float* output;
  v128_t min, max;
};

// Outputs from `x` on, one by one, of any window.
template <class Arithmetic>
[[gnu::noinline]] void depthwise_singly(const DepthwiseRow& of, size_t x) {
  const DepthwiseRow row = of;
  for (; x < row.width; ++x) {
    for (size_t channel = 0; channel < row.whole_channels(); channel += 4) {
      v128_t sum = wasm_f32x4_splat(0);
      const float* weight = row.weight + channel;
      for (size_t ky = 0; ky < row.kernel; ++ky) {
        const float* pixel = row.windows + ky * row.row_stride + x * row.stride * row.channels + channel;
        for (size_t kx = 0; kx < row.kernel; ++kx, pixel += row.channels, weight += row.channels) {
          sum = Arithmetic::madd(wasm_v128_load(weight), wasm_v128_load(pixel), sum);
        }
      }
      const size_t offset = x * row.channels + channel;
      sum = wasm_f32x4_add(sum, wasm_v128_load(row.bias + channel));
      if (row.residual != nullptr) sum = wasm_f32x4_add(sum, wasm_v128_load(row.residual + offset));
      wasm_v128_store(row.output + offset, row.clamped(sum));
    }
  }
}

// Outputs in fours, of a window that is known here, without a residual. The last four overlap with those before.
// Returns how many.
template <class Arithmetic, size_t kKernel, size_t kStride>
[[gnu::noinline]] size_t depthwise_in_fours(const DepthwiseRow& of) {
  constexpr size_t kOutputs = 4;
  const DepthwiseRow row = of;
  if (row.width < kOutputs) return 0;
  const size_t last = row.width - kOutputs;
  for (size_t begin = 0; begin < row.width; begin += kOutputs) {
    const size_t x = std::min(begin, last);
    for (size_t channel = 0; channel < row.whole_channels(); channel += 4) {
      v128_t sums[kOutputs];
      for (v128_t& sum : sums) sum = wasm_f32x4_splat(0);
      const float* weight = row.weight + channel;
      const float* pixels = row.windows + x * kStride * row.channels + channel;
      // A loop, at whose ends V8 has all sums: of a longer chain it would compute each where it is stored, with the
      // pixels of all rows in registers.
      QUINTET_KEEP_LOOP
      for (size_t ky = 0; ky < kKernel; ++ky, pixels += row.row_stride, weight += kKernel * row.channels) {
        v128_t weights[kKernel];
        for (size_t kx = 0; kx < kKernel; ++kx) weights[kx] = wasm_v128_load(weight + kx * row.channels);
        for (size_t column = 0; column < (kOutputs - 1) * kStride + kKernel; ++column) {
          const v128_t pixel = wasm_v128_load(pixels + column * row.channels);
          for (size_t i = 0; i < kOutputs; ++i) {
            if (column < i * kStride || column - i * kStride >= kKernel) continue;
            sums[i] = Arithmetic::madd(weights[column - i * kStride], pixel, sums[i]);
          }
        }
      }
      const v128_t bias = wasm_v128_load(row.bias + channel);
      float* const output = row.output + x * row.channels + channel;
      for (size_t i = 0; i < kOutputs; ++i) {
        wasm_v128_store(output + i * row.channels, row.clamped(wasm_f32x4_add(sums[i], bias)));
      }
    }
  }
  return row.width;
}

// The last channels, if their number is not a multiple of four, which hardly any network has.
[[gnu::noinline]] inline void depthwise_rest(const DepthwiseF32Operands& in, size_t y, size_t channel,
                                             const FloatEpilogue& epilogue) {
  const size_t channels = in.grid.channels;
  for (size_t i = 0; i < in.grid.width * (channels - channel); ++i) {
    const size_t x = i / (channels - channel), c = channel + i % (channels - channel);
    const float* const window = in.input + y * in.stride * in.row_stride + x * in.stride * channels + c;
    float sum = 0;
    for (size_t tap = 0; tap < in.kernel * in.kernel; ++tap) {
      sum += window[tap / in.kernel * in.row_stride + tap % in.kernel * channels] * in.weight[tap * channels + c];
    }
    const size_t offset = y * in.grid.row_stride + x * channels + c;
    sum += epilogue.bias[c];
    if (epilogue.residual != nullptr) sum += epilogue.residual[offset];
    in.output[offset] = std::min(std::max(sum, epilogue.min), epilogue.max);
  }
}

template <class Arithmetic>
inline size_t depthwise_first(const DepthwiseRow& row) {
  if (row.residual != nullptr) return 0;  // hardly any network has one here
  const auto is = [&](size_t kernel, size_t stride) { return row.kernel == kernel && row.stride == stride; };
  if (is(3, 1)) return depthwise_in_fours<Arithmetic, 3, 1>(row);
  if (is(3, 2)) return depthwise_in_fours<Arithmetic, 3, 2>(row);
  if (is(5, 1)) return depthwise_in_fours<Arithmetic, 5, 1>(row);
  if (is(5, 2)) return depthwise_in_fours<Arithmetic, 5, 2>(row);
  return is(7, 1) ? depthwise_in_fours<Arithmetic, 7, 1>(row) : 0;
}

template <class Arithmetic>
inline void depthwise_f32(const DepthwiseF32Operands& in, const FloatEpilogue& epilogue, size_t begin, size_t end) {
  for (size_t y = begin; y < end; ++y) {
    const DepthwiseRow row(in, epilogue, y);
    depthwise_singly<Arithmetic>(row, depthwise_first<Arithmetic>(row));
    if (row.whole_channels() < row.channels) depthwise_rest(in, y, row.whole_channels(), epilogue);
  }
}

}  // namespace quintet::generic
