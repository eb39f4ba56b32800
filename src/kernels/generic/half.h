#pragma once
// Eight values in FP16 as floats.

#include "kernels/generic/constants.h"

namespace quintet::generic {

// Exact for all values. The bits of a half, moved into place, are its value times 2^-112; the product is exact for
// subnormals as well. Infinity and NaN must get the greatest exponent.
inline v128_t widen_half(v128_t half) {
  const v128_t moved = wasm_v128_and(wasm_i32x4_shl(half, 13), wasm_i32x4_splat(static_cast<int>(0x8fffe000)));
  const v128_t exponent = wasm_v128_and(moved, wasm_i32x4_splat(0x0f800000));
  const v128_t special = wasm_i32x4_eq(exponent, wasm_i32x4_splat(0x0f800000));
  const v128_t value = wasm_f32x4_mul(moved, wasm_f32x4_splat(0x1p112f));
  return wasm_v128_or(value, wasm_v128_and(special, wasm_i32x4_splat(0x7f800000)));
}

inline void widen_halves(v128_t halves, v128_t& low, v128_t& high) {
  low = widen_half(wasm_i32x4_extend_low_i16x8(halves));
  high = widen_half(wasm_i32x4_extend_high_i16x8(halves));
}

// Exact for finite values, in half the instructions: who uses it looks at the greatest magnitude afterwards, and where
// that is infinity or NaN starts over with the function above.
inline void widen_finite_halves(v128_t halves, v128_t& low, v128_t& high) {
  // The upper and the lower 16 bits of each float.
  const v128_t upper = wasm_v128_and(wasm_i16x8_shr(halves, 3), wasm_i16x8_splat(static_cast<int16_t>(0x8fff)));
  const v128_t lower = wasm_i16x8_shl(halves, 13);
  const v128_t exponents = wasm_f32x4_splat(0x1p112f);
  low = wasm_f32x4_mul(wasm_i16x8_shuffle(lower, upper, 0, 8, 1, 9, 2, 10, 3, 11), exponents);
  high = wasm_f32x4_mul(wasm_i16x8_shuffle(lower, upper, 4, 12, 5, 13, 6, 14, 7, 15), exponents);
}

// The greatest magnitudes of halves seen so far, as bits.
class HalfMagnitudes {
 public:
  void add(v128_t halves) {
    greatest_ = wasm_i16x8_max(greatest_, wasm_v128_and(halves, wasm_i16x8_splat(0x7fff)));
  }
  bool all_finite() const {
    constexpr int16_t kInfinity = 0x7c00;
    return !wasm_v128_any_true(wasm_i16x8_ge(greatest_, wasm_i16x8_splat(kInfinity)));
  }

 private:
  v128_t greatest_ = wasm_i16x8_splat(0);
};

}  // namespace quintet::generic
