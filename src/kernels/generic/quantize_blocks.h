#pragma once
// Quantization of activations in blocks; only how the integers are stored differs between variants.

#include "kernels/block_activations.h"
#include "kernels/generic/quantize.h"

namespace quintet::generic {

// Four values as 32-bit integers, rounded half to even: the sum has no bits for a fraction.
inline v128_t quantize_signed(v128_t x, v128_t inverse) {
  constexpr float kNoFraction = 12582912.0f;
  const v128_t sum = wasm_f32x4_add(wasm_f32x4_mul(x, inverse), wasm_f32x4_splat(kNoFraction));
  return wasm_i32x4_sub(sum, wasm_f32x4_splat(kNoFraction));
}

// `Format::put(out, quad)` stores four 32-bit integers.
template <class Format>
[[gnu::noinline]] void quantize_block(const float* x, size_t count, BlockActivation<typename Format::Integer>& block) {
  const RowScale factors = row_scale(largest_magnitude(x, count), kBlockActivationSteps);
  const v128_t inverse = wasm_f32x4_splat(factors.inverse);
  v128_t sums = wasm_i32x4_splat(0);
  for (size_t i = 0; i < count; i += kQuad) {
    v128_t quad = wasm_i32x4_splat(0);
    if (factors.inverse != 0) {
      const v128_t values = i + kQuad <= count ? wasm_v128_load(x + i) : load_some(x + i, count - i, 0);
      quad = quantize_signed(values, inverse);
    }
    Format::put(block.q + i, quad);
    sums = wasm_i32x4_add(sums, quad);
  }
  const int32_t first = wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1);
  const int32_t second = wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3);
  block.scale = factors.scale;
  block.scaled_sum = static_cast<float>(first + second) * factors.scale;
  block.negative_pairs[0] = static_cast<int16_t>(-8 * first);
  block.negative_pairs[1] = static_cast<int16_t>(-8 * second);
  block.negative_sum = -first - second;
}

template <class Format>
inline void quantize_blocks(const float* x, size_t x_stride, size_t rows, size_t cols, size_t block, std::byte* q) {
  using Block = BlockActivation<typename Format::Integer>;
  const size_t blocks = cols / block;
  for (size_t r = 0; r < rows; ++r) {
    auto* const out = reinterpret_cast<Block*>(q + r * block_activation_bytes(blocks));
    for (size_t b = 0; b < blocks; ++b) quantize_block<Format>(x + r * x_stride + b * block, block, out[b]);
  }
}

}  // namespace quintet::generic
