#pragma once
// The arithmetic in which simd128 and relaxed SIMD differ.

#include "kernels/wasm_simd.h"

namespace quintet::simd128 {

struct Arithmetic {
  static constexpr size_t kUnrolled = 2;
  static v128_t madd(v128_t a, v128_t b, v128_t c) { return wasm_f32x4_add(wasm_f32x4_mul(a, b), c); }
};

}  // namespace quintet::simd128
