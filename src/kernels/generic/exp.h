#pragma once
// The exponential function and GELU of four floats. Coefficients: tools/polynomials/fit.mjs.

#include <cstddef>

#include "kernels/generic/vector.h"

namespace quintet::generic {

// Relative error < 1.2e-7, measured over the range.

struct ExpConstants {
  Splat inverse_ln2 = 1.44269504f;
  Splat rounding = 12582912.0f;    // 1.5 * 2^23: adding it leaves no bits for a fraction
  Splat ln2_high = -0.693359375f;  // few enough bits that its product with an integer is exact
  Splat ln2_low = 2.12194440e-4f;
  Splat p[5] = {0.499999940f, 0.166665211f, 0.0416683890f, 0.00836871006f, 0.00138146128f};
  Splat one = 1;  // its bits also turn an integer into an exponent
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

  // Multiplies by 2^n instead of adding to the exponent of p, so that NaN stays NaN.
  return wasm_f32x4_mul(p, wasm_i32x4_add(wasm_i32x4_shl(shifted, 23), c.one));
}

// exp(x) for x <= 88; zero below -87.
template <class Arithmetic>
inline v128_t exp(v128_t x, const ExpConstants& c) {
  return wasm_v128_andnot(exp_in_range<Arithmetic>(x, c), wasm_f32x4_lt(x, c.lowest));
}

// GELU: x times the probability that a standard normal variable is less than x.
// |error| < 2e-7 |x|, measured over the range.

struct GeluConstants {
  Splat bound = 5.6f;
  Splat half = 0.5f;
  // (half - the upper tail of the normal distribution at x) / x = p(x^2) / q(x^2), q(0) = 1. A quotient of polynomials
  // has a shorter chain of dependent operations than the exponential function, and fewer of them.
  Splat p[6] = {0.398942232f, 0.0341606550f, 0.00469375262f, 0.000171641543f, 0.00000633959553f, 2.22989414e-8f};
  Splat q[6] = {1, 0.252293974f, 0.0288159717f, 0.00190044800f, 0.0000743860001f, 0.00000118347737f};
};
inline constexpr GeluConstants kGeluConstants;

template <class Arithmetic>
inline v128_t gelu_erf(v128_t x, const GeluConstants& c) {
  // With the upper tail t, the result is x - x t(x) for positive x and x t(-x) for negative x: max(x, 0) - |x| t(|x|).
  // Beyond the bound the second term is < 7e-8 and left out. pmax returns its first operand if it is NaN.
  const v128_t size = wasm_f32x4_abs(x);
  const v128_t square = wasm_f32x4_mul(size, size);
  v128_t p = c.p[5], q = c.q[5];
  for (size_t i = 5; i-- > 0;) {
    p = Arithmetic::madd(p, square, c.p[i]);
    q = Arithmetic::madd(q, square, c.q[i]);
  }
  const v128_t tail = wasm_f32x4_sub(c.half, wasm_f32x4_mul(size, wasm_f32x4_div(p, q)));
  const v128_t second = wasm_v128_andnot(wasm_f32x4_mul(size, tail), wasm_f32x4_ge(size, c.bound));
  return wasm_f32x4_sub(wasm_f32x4_pmax(x, wasm_f32x4_splat(0)), second);
}

}  // namespace quintet::generic
