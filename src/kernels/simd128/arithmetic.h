#pragma once
// The differences between simd128 and relaxed SIMD: multiplication and addition, and the form of quantized activations.

#include <array>

#include "kernels/quantize.h"
#include "kernels/wasm_simd.h"

namespace quintet::simd128 {

struct Arithmetic {
  static constexpr size_t kUnrolled = 2;
  // The panels of float tiles of 1, 2, ... rows. A product needs its own register before it is added: six rows would
  // spill.
  static constexpr std::array<size_t, 4> kPanels = {4, 2, 1, 1};
  static v128_t madd(v128_t a, v128_t b, v128_t c) { return wasm_f32x4_add(wasm_f32x4_mul(a, b), c); }
};

// Quantized activations are 16-bit integers: of a quad the two even elements, then the two odd ones, so that each pair
// is one operand of the 16-bit dot product.
constexpr size_t kSplitQuadBytes = 8;
static_assert(kSplitQuadBytes <= kActivationQuadBytes);

// Rows of a tile of gemm_i8, whose activations quantize_rows interleaves.
constexpr size_t kGemmI8Rows = 3;

// Rows of a band of block activations (BlockRow), and of a tile of gemm_blocks.
constexpr size_t kBlockBand = 3;

}  // namespace quintet::simd128
