#pragma once
// The depthwise convolution: four channels of four neighboring outputs at a time. The windows of neighbors overlap, so
// each pixel of a row is loaded once for all of them, and so is each weight. Every sum runs over its window row by row
// in one accumulator.

#include <algorithm>

#include "kernels/depthwise_f32.h"
#include "kernels/generic/vector.h"

namespace quintet::generic {

// Bias, residual and bounds of four channels.
struct DepthwiseFinish {
  DepthwiseFinish(const FloatEpilogue& epilogue, size_t channel)
      : bias(epilogue.bias == nullptr ? wasm_f32x4_splat(0) : wasm_v128_load(epilogue.bias + channel)),
        min(wasm_f32x4_splat(epilogue.min)),
        max(wasm_f32x4_splat(epilogue.max)),
        residual(epilogue.residual) {}

  void store(float* output, size_t offset, v128_t sum) const {
    v128_t y = wasm_f32x4_add(sum, bias);
    if (residual != nullptr) y = wasm_f32x4_add(y, wasm_v128_load(residual + offset));
    // Both functions return their first operand if that is NaN, so NaN stays NaN.
    wasm_v128_store(output + offset, wasm_f32x4_pmin(wasm_f32x4_pmax(y, min), max));
  }

  v128_t bias, min, max;
  const float* residual;
};

// Four channels of one row of outputs.
struct DepthwiseRow {
  DepthwiseRow(const DepthwiseF32Operands& in, size_t y, size_t channel, const FloatEpilogue& epilogue)
      : operands(in),
        window(in.input + y * in.stride * in.row_stride + channel),
        weight(in.weight + channel),
        output(y * in.grid.row_stride + channel),
        finish(epilogue, channel) {}

  const DepthwiseF32Operands& operands;
  const float* window;  // the first
  const float* weight;
  size_t output;  // of the first, in the map
  DepthwiseFinish finish;
};

// Outputs from `x` on, one by one, of any window.
template <class Arithmetic>
[[gnu::noinline]] void depthwise_singly(const DepthwiseRow& row, size_t x) {
  const DepthwiseF32Operands& in = row.operands;
  const size_t channels = in.grid.channels;
  for (; x < in.grid.width; ++x) {
    v128_t sum = wasm_f32x4_splat(0);
    const float* weight = row.weight;
    for (size_t ky = 0; ky < in.kernel; ++ky) {
      const float* pixel = row.window + ky * in.row_stride + x * in.stride * channels;
      for (size_t kx = 0; kx < in.kernel; ++kx, pixel += channels, weight += channels) {
        sum = Arithmetic::madd(wasm_v128_load(weight), wasm_v128_load(pixel), sum);
      }
    }
    row.finish.store(in.output, row.output + x * channels, sum);
  }
}

// Outputs in fours, of a window that is known here. Returns how many.
template <class Arithmetic, size_t kKernel, size_t kStride>
[[gnu::noinline]] size_t depthwise_in_fours(const DepthwiseRow& row) {
  constexpr size_t kOutputs = 4;
  const DepthwiseF32Operands& in = row.operands;
  const size_t channels = in.grid.channels;
  size_t x = 0;
  for (; x + kOutputs <= in.grid.width; x += kOutputs) {
    v128_t sums[kOutputs];
    for (v128_t& sum : sums) sum = wasm_f32x4_splat(0);
    const float* weight = row.weight;
    const float* pixels = row.window + x * kStride * channels;
    for (size_t ky = 0; ky < kKernel; ++ky, pixels += in.row_stride, weight += kKernel * channels) {
      v128_t weights[kKernel];
      for (size_t kx = 0; kx < kKernel; ++kx) weights[kx] = wasm_v128_load(weight + kx * channels);
      for (size_t column = 0; column < (kOutputs - 1) * kStride + kKernel; ++column) {
        const v128_t pixel = wasm_v128_load(pixels + column * channels);
        for (size_t i = 0; i < kOutputs; ++i) {
          if (column < i * kStride || column - i * kStride >= kKernel) continue;
          sums[i] = Arithmetic::madd(weights[column - i * kStride], pixel, sums[i]);
        }
      }
    }
    for (size_t i = 0; i < kOutputs; ++i) row.finish.store(in.output, row.output + (x + i) * channels, sums[i]);
  }
  return x;
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
    if (epilogue.bias != nullptr) sum += epilogue.bias[c];
    if (epilogue.residual != nullptr) sum += epilogue.residual[offset];
    in.output[offset] = std::min(std::max(sum, epilogue.min), epilogue.max);
  }
}

template <class Arithmetic>
inline size_t depthwise_first(const DepthwiseRow& row) {
  const auto is = [&](size_t kernel, size_t stride) {
    return row.operands.kernel == kernel && row.operands.stride == stride;
  };
  if (is(3, 1)) return depthwise_in_fours<Arithmetic, 3, 1>(row);
  if (is(3, 2)) return depthwise_in_fours<Arithmetic, 3, 2>(row);
  if (is(5, 1)) return depthwise_in_fours<Arithmetic, 5, 1>(row);
  if (is(5, 2)) return depthwise_in_fours<Arithmetic, 5, 2>(row);
  return is(7, 1) ? depthwise_in_fours<Arithmetic, 7, 1>(row) : 0;
}

template <class Arithmetic>
inline void depthwise_f32(const DepthwiseF32Operands& in, const FloatEpilogue& epilogue, size_t begin, size_t end) {
  for (size_t y = begin; y < end; ++y) {
    size_t channel = 0;
    for (; channel + 4 <= in.grid.channels; channel += 4) {
      const DepthwiseRow row(in, y, channel, epilogue);
      depthwise_singly<Arithmetic>(row, depthwise_first<Arithmetic>(row));
    }
    if (channel < in.grid.channels) depthwise_rest(in, y, channel, epilogue);
  }
}

}  // namespace quintet::generic
