#pragma once
// The exponential function of four floats.
// Coefficients: tools/polynomials/fit.mjs. Relative error < 1.2e-7, measured over the range.

#include "kernels/generic/constants.h"

namespace quintet::generic {

struct ExpConstants {
  Splat inverse_ln2 = 1.44269504f;
  Splat rounding = 12582912.0f;    // 1.5 * 2^23: a sum with it has no bits for a fraction
  Splat ln2_high = -0.693359375f;  // few enough bits that its product with an integer is exact
  Splat ln2_low = 2.12194440e-4f;
  Splat p[5] = {0.499999940f, 0.166665211f, 0.0416683890f, 0.00836871006f, 0.00138146128f};
  Splat one = 1;  // its bits are also those that make an exponent of an integer
  Splat lowest = -87;
};
inline constexpr ExpConstants kExpConstants;

// exp(x) for -87 <= x <= 88; NaN gives NaN.
template <class Arithmetic>
inline v128_t exp_in_range(v128_t x, const ExpConstants& c) {
  // n = x / ln 2, rounded; the sum before the subtraction has n in its low bits.
  const v128_t shifted = Arithmetic::madd(x, c.inverse_ln2, c.rounding);
  const v128_t n = wasm_f32x4_sub(shifted, c.rounding);
  // r = x - n ln 2
  v128_t r = Arithmetic::madd(n, c.ln2_high, x);
  r = Arithmetic::madd(n, c.ln2_low, r);

  // exp(r) = 1 + r + r^2 p(r)
  v128_t p = Arithmetic::madd(c.p[4], r, c.p[3]);
  p = Arithmetic::madd(p, r, c.p[2]);
  p = Arithmetic::madd(p, r, c.p[1]);
  p = Arithmetic::madd(p, r, c.p[0]);
  p = Arithmetic::madd(p, r, c.one);
  p = Arithmetic::madd(p, r, c.one);

  // A product with 2^n and not an addition to the exponent of p: NaN stays NaN.
  return wasm_f32x4_mul(p, wasm_i32x4_add(wasm_i32x4_shl(shifted, 23), c.one));
}

// exp(x) for x <= 88; zero below -87.
template <class Arithmetic>
inline v128_t exp(v128_t x, const ExpConstants& c) {
  return wasm_v128_andnot(exp_in_range<Arithmetic>(x, c), wasm_f32x4_lt(x, c.lowest));
}

}  // namespace quintet::generic
