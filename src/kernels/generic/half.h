#pragma once
// Values in FP16 as floats.

#include "base/half.h"
#include "kernels/generic/vector.h"

namespace quintet::generic {

struct HalfConstants {
  SplatBits sign_and_rest = 0x8fffe000;  // of 32 bits
  SplatBits upper_bits = 0x8fff8fff;     // of 16 bits
  SplatBits half_exponent = 0x0f800000;
  SplatBits exponent = 0x7f800000;
  Splat scale = 0x1p112f;
};
inline constexpr HalfConstants kHalfConstants;

// Exact for all values. The bits of a half, moved into place, are its value times 2^-112; the product is exact for
// subnormals too. Infinity and NaN must get the greatest exponent.
inline v128_t widen_half(v128_t half, const HalfConstants& c) {
  const v128_t moved = wasm_v128_and(wasm_i32x4_shl(half, 13), c.sign_and_rest);
  const v128_t special = wasm_i32x4_eq(wasm_v128_and(moved, c.half_exponent), c.half_exponent);
  return wasm_v128_or(wasm_f32x4_mul(moved, c.scale), wasm_v128_and(special, c.exponent));
}

inline void widen_halves(v128_t halves, v128_t& low, v128_t& high, const HalfConstants& c) {
  low = widen_half(wasm_i32x4_extend_low_i16x8(halves), c);
  high = widen_half(wasm_i32x4_extend_high_i16x8(halves), c);
}

// Finite values times 2^-112.
inline void move_finite_halves(v128_t halves, v128_t& low, v128_t& high, const HalfConstants& c) {
  // The upper and the lower 16 bits of each float.
  const v128_t upper = wasm_v128_and(wasm_i16x8_shr(halves, 3), c.upper_bits);
  const v128_t lower = wasm_i16x8_shl(halves, 13);
  low = wasm_i16x8_shuffle(lower, upper, 0, 8, 1, 9, 2, 10, 3, 11);
  high = wasm_i16x8_shuffle(lower, upper, 4, 12, 5, 13, 6, 14, 7, 15);
}

// Exact for finite values, with half the instructions.
inline void widen_finite_halves(v128_t halves, v128_t& low, v128_t& high, const HalfConstants& c) {
  move_finite_halves(halves, low, high, c);
  low = wasm_f32x4_mul(low, c.scale);
  high = wasm_f32x4_mul(high, c.scale);
}

// Widens one value; almost all are finite.
inline float widen_half(uint16_t half) {
  constexpr uint16_t kInfinity = 0x7c00;
  if ((half & kInfinity) == kInfinity) return f16_to_f32(half);
  const uint32_t moved = static_cast<uint32_t>(half & 0x8000) << 16 | static_cast<uint32_t>(half & 0x7fff) << 13;
  return std::bit_cast<float>(moved) * 0x1p112f;
}

}  // namespace quintet::generic
