#pragma once
// Rounding half away from zero, as the C library's roundf, in vectors.

#include "kernels/generic/constants.h"

namespace quintet::generic {

struct RoundingConstants {
  SplatBits sign = 0x80000000;
  // The greatest float below 1/2.
  Splat below_half = 0x1.fffffep-2f;
  // Added to an integer, leaves it in the low bits.
  Splat aligner = 12582912.0f;
  SplatBits aligner_bits = 0x4b400000;
};
inline constexpr RoundingConstants kRoundingConstants;

// In registers, for loops that have as many to spare.
struct HeldRoundingConstants {
  explicit HeldRoundingConstants(const RoundingConstants& constants)
      : sign(constants.sign),
        below_half(constants.below_half),
        aligner(constants.aligner),
        aligner_bits(constants.aligner_bits) {}

  v128_t sign, below_half, aligner, aligner_bits;
};

// Half away from zero. With 1/2 itself the sum would round up where x is the float just below 1/2; with the float
// below, a sum that should reach the next integer is a tie and rounds to it.
template <class Constants>
[[gnu::always_inline]] inline v128_t round_half_away(v128_t x, const Constants& constants) {
  const v128_t half = wasm_v128_or(wasm_v128_and(x, constants.sign), constants.below_half);
  return wasm_f32x4_trunc(wasm_f32x4_add(x, half));
}

// Eight small integers in floats as 16-bit ones.
template <class Constants>
[[gnu::always_inline]] inline v128_t narrowed(v128_t low, v128_t high, const Constants& constants) {
  const v128_t a = wasm_i32x4_sub(wasm_f32x4_add(low, constants.aligner), constants.aligner_bits);
  const v128_t b = wasm_i32x4_sub(wasm_f32x4_add(high, constants.aligner), constants.aligner_bits);
  return wasm_i16x8_narrow_i32x4(a, b);
}

}  // namespace quintet::generic
