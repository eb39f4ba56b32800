#pragma once
// The differences between relaxed SIMD and simd128: the fused multiplication and addition, and the dot product of four
// pairs of bytes.

#include <array>
#include <cstdint>
#include <type_traits>

#include "kernels/wasm_simd.h"
#include "tensor/packed/panel.h"

namespace quintet::relaxed {

struct Arithmetic {
  static constexpr size_t kUnrolled = 1;
  // The panels of float tiles of 1, 2, ... rows; 0: no tile. Six rows: 12 sums, two weights and one activation are 15
  // of the 16 registers of x86-64, the last of which the engine needs.
  static constexpr std::array<size_t, 6> kPanels = {4, 3, 2, 1, 0, 1};
  // Rounds once or twice, depending on the processor, but always in the same way on one processor.
  static v128_t madd(v128_t a, v128_t b, v128_t c) { return wasm_f32x4_relaxed_madd(a, b, c); }
};

// Rows of a tile of gemm_i8, whose activations quantize_rows interleaves. With a fused dot, six need twelve registers
// for sums, two for weights and one for activations; in steps, of half a panel, twelve for sums of 16 and of 32 bits,
// two for weights and two for products.
constexpr size_t kGemmI8Rows = 6;

// Returns the squares (OperandsI8) of `rows` quantized rows of `quads` quads.
template <class Byte>
auto* squares_of(Byte* q, size_t rows, size_t quads) {
  using Square = std::conditional_t<std::is_const_v<Byte>, const float, float>;
  return reinterpret_cast<Square*>(q + rows * quads * kQuad);
}

// Rows of a band of block activations (BlockRow), and at most of a tile of gemm_blocks.
constexpr size_t kBlockBand = 4;

}  // namespace quintet::relaxed
