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

// `kKernel`, `kStride`: 0 if only known at run time.
template <class Arithmetic, size_t kKernel, size_t kStride>
struct DepthwiseRow {
  static constexpr size_t kOutputs = 4;

  const DepthwiseF32Operands& in;
  size_t channels = in.grid.channels;
  size_t kernel = kKernel == 0 ? in.kernel : kKernel;
  size_t stride = kStride == 0 ? in.stride : kStride;

  // `kCount` neighbors from `x` on, whose first window begins at `window`.
  template <size_t kCount>
  [[gnu::always_inline]] void compute(const float* window, size_t channel, size_t offset,
                                      const DepthwiseFinish& finish) const {
    v128_t sums[kCount];
    for (v128_t& sum : sums) sum = wasm_f32x4_splat(0);
    const float* weight = in.weight + channel;
    for (size_t ky = 0; ky < kernel; ++ky, window += in.row_stride, weight += kernel * channels) {
      if constexpr (kKernel != 0 && kStride != 0) {
        v128_t weights[kKernel];
        for (size_t kx = 0; kx < kKernel; ++kx) weights[kx] = wasm_v128_load(weight + kx * channels);
        for (size_t column = 0; column < (kCount - 1) * kStride + kKernel; ++column) {
          const v128_t pixel = wasm_v128_load(window + column * channels);
          for (size_t i = 0; i < kCount; ++i) {
            const size_t kx = column - i * kStride;
            if (column >= i * kStride && kx < kKernel) sums[i] = Arithmetic::madd(weights[kx], pixel, sums[i]);
          }
        }
      } else {
        for (size_t kx = 0; kx < kernel; ++kx) {
          const v128_t w = wasm_v128_load(weight + kx * channels);
          for (size_t i = 0; i < kCount; ++i) {
            sums[i] = Arithmetic::madd(w, wasm_v128_load(window + (kx + i * stride) * channels), sums[i]);
          }
        }
      }
    }
    for (size_t i = 0; i < kCount; ++i) finish.store(in.output, offset + i * channels, sums[i]);
  }

  // Channels [channel, channel + 4) of a row of outputs.
  void apply(size_t y, size_t channel, const FloatEpilogue& epilogue) const {
    const DepthwiseFinish finish(epilogue, channel);
    const float* const row = in.input + y * stride * in.row_stride + channel;
    const size_t output = y * in.grid.row_stride + channel;
    size_t x = 0;
    for (; x + kOutputs <= in.grid.width; x += kOutputs) {
      compute<kOutputs>(row + x * stride * channels, channel, output + x * channels, finish);
    }
    for (; x < in.grid.width; ++x) compute<1>(row + x * stride * channels, channel, output + x * channels, finish);
  }
};

// The last channels, if their number is not a multiple of four.
[[gnu::noinline]] inline void depthwise_rest(const DepthwiseF32Operands& in, size_t y, size_t channel,
                                             const FloatEpilogue& epilogue) {
  const size_t channels = in.grid.channels;
  for (size_t x = 0; x < in.grid.width; ++x) {
    const float* const window = in.input + y * in.stride * in.row_stride + x * in.stride * channels;
    const size_t offset = y * in.grid.row_stride + x * channels;
    for (size_t c = channel; c < channels; ++c) {
      float sum = 0;
      for (size_t ky = 0; ky < in.kernel; ++ky) {
        for (size_t kx = 0; kx < in.kernel; ++kx) {
          sum += window[ky * in.row_stride + kx * channels + c] * in.weight[(ky * in.kernel + kx) * channels + c];
        }
      }
      if (epilogue.bias != nullptr) sum += epilogue.bias[c];
      if (epilogue.residual != nullptr) sum += epilogue.residual[offset + c];
      in.output[offset + c] = std::min(std::max(sum, epilogue.min), epilogue.max);
    }
  }
}

template <class Arithmetic, size_t kKernel, size_t kStride>
[[gnu::noinline]] void depthwise_rows(const DepthwiseF32Operands& in, const FloatEpilogue& epilogue, size_t begin,
                                      size_t end) {
  const DepthwiseRow<Arithmetic, kKernel, kStride> row{in};
  for (size_t y = begin; y < end; ++y) {
    size_t channel = 0;
    for (; channel + 4 <= in.grid.channels; channel += 4) row.apply(y, channel, epilogue);
    if (channel < in.grid.channels) depthwise_rest(in, y, channel, epilogue);
  }
}

template <class Arithmetic>
inline void depthwise_f32(const DepthwiseF32Operands& in, const FloatEpilogue& epilogue, size_t begin, size_t end) {
  const auto is = [&](size_t kernel, size_t stride) { return in.kernel == kernel && in.stride == stride; };
  if (is(3, 1)) return depthwise_rows<Arithmetic, 3, 1>(in, epilogue, begin, end);
  if (is(3, 2)) return depthwise_rows<Arithmetic, 3, 2>(in, epilogue, begin, end);
  if (is(5, 1)) return depthwise_rows<Arithmetic, 5, 1>(in, epilogue, begin, end);
  if (is(5, 2)) return depthwise_rows<Arithmetic, 5, 2>(in, epilogue, begin, end);
  if (is(7, 1)) return depthwise_rows<Arithmetic, 7, 1>(in, epilogue, begin, end);
  return depthwise_rows<Arithmetic, 0, 0>(in, epilogue, begin, end);
}

}  // namespace quintet::generic
