#pragma once
// The differences between relaxed SIMD and simd128: the fused multiplication and addition, and the dot product of four
// pairs of bytes.

#include <cstdint>

#include "kernels/wasm_simd.h"

namespace quintet::relaxed {

struct Arithmetic {
  static constexpr size_t kUnrolled = 1;
  // Rounds once or twice, depending on the processor, but always in the same way on one processor.
  static v128_t madd(v128_t a, v128_t b, v128_t c) { return wasm_f32x4_relaxed_madd(a, b, c); }
};

// Engines compile the fused dot to one instruction if the processor has it (AVX-VNNI, SDOT), and otherwise, on x86-64,
// to five (V8), although three steps would do: products of pairs, sums of pairs, addition. The two differ only outside
// of the 7-bit range, which the kernels never leave: the latter saturates pairs of products to 16 bits, -2 * 32768
// instead of -4 * 128 * 255.
inline bool fused_dot_is_slow() {
  // Volatile, so that the engine computes it and not the compiler.
  volatile int32_t lowest = static_cast<int32_t>(0x80808080);
  volatile int32_t greatest = -1;
  const v128_t sums =
      wasm_i32x4_relaxed_dot_i8x16_i7x16_add(wasm_i32x4_splat(lowest), wasm_i32x4_splat(greatest), wasm_i32x4_splat(0));
  return wasm_i32x4_extract_lane(sums, 0) == -2 * 32768;
}

// Rows of a tile of gemm_i8, whose activations quantize_rows interleaves. Six need twelve registers for sums, two for
// weights and one for activations. The steps of a paired dot need more than the one that is left.
constexpr size_t kFusedRows = 6;
constexpr size_t kPairedRows = 5;

// Rows of a band of block activations (BlockRow), and at most of a tile of gemm_blocks.
constexpr size_t kBlockBand = 4;

}  // namespace quintet::relaxed
