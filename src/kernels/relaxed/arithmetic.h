#pragma once
// The arithmetic in which simd128 and relaxed SIMD differ.

#include "kernels/wasm_simd.h"

namespace quintet::relaxed {

struct Arithmetic {
  static constexpr size_t kUnrolled = 1;
  // Rounds once or twice, as the processor likes, but always the same way on one processor.
  static v128_t madd(v128_t a, v128_t b, v128_t c) { return wasm_f32x4_relaxed_madd(a, b, c); }
};

}  // namespace quintet::relaxed
