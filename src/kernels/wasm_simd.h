#pragma once
// The WebAssembly SIMD intrinsics: the compiler's own in a WebAssembly build; elsewhere SIMDe implements them with host
// instructions, so that the same kernels run in native tests.

#if defined(__wasm__)

#include <wasm_simd128.h>

#else

#define SIMDE_WASM_SIMD128_ENABLE_NATIVE_ALIASES
#define SIMDE_WASM_RELAXED_SIMD_ENABLE_NATIVE_ALIASES
#include <simde/wasm/relaxed-simd.h>
#include <simde/wasm/simd128.h>

namespace quintet {

// SIMDe 0.8.2 lacks these two. Per lane: the sum of two or four products of signed `a` and 7-bit
// `b`.
inline v128_t wasm_i16x8_relaxed_dot_i8x16_i7x16(v128_t a, v128_t b) {
  const v128_t low = wasm_i16x8_extmul_low_i8x16(a, b);
  const v128_t high = wasm_i16x8_extmul_high_i8x16(a, b);
  return wasm_i16x8_add(wasm_i16x8_shuffle(low, high, 0, 2, 4, 6, 8, 10, 12, 14),
                        wasm_i16x8_shuffle(low, high, 1, 3, 5, 7, 9, 11, 13, 15));
}

// With AVX-VNNI, `b` is unsigned; with SDOT it is signed. Tests choose.
inline bool fused_dot_is_unsigned = false;

inline v128_t wasm_i32x4_relaxed_dot_i8x16_i7x16_add(v128_t a, v128_t b, v128_t sum) {
  const bool is_unsigned = fused_dot_is_unsigned;
  const v128_t b_low = is_unsigned ? wasm_u16x8_extend_low_u8x16(b) : wasm_i16x8_extend_low_i8x16(b);
  const v128_t b_high = is_unsigned ? wasm_u16x8_extend_high_u8x16(b) : wasm_i16x8_extend_high_i8x16(b);
  const v128_t low = wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(a), b_low);
  const v128_t high = wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(a), b_high);
  return wasm_i32x4_add(
      sum, wasm_i32x4_add(wasm_i32x4_shuffle(low, high, 0, 2, 4, 6), wasm_i32x4_shuffle(low, high, 1, 3, 5, 7)));
}

}  // namespace quintet

#endif
