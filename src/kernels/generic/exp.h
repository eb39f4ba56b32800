#pragma once
// The exponential function of four floats, and GELU, which is based on it. Coefficients: tools/polynomials/fit.mjs.

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
// |error| < 1.5e-7 |x|, measured over the range.

struct GeluConstants {
  Splat bound = 6;
  // The logarithm of the upper tail of the normal distribution.
  Splat p[9] = {-0.693147123f,    -0.797887862f,     -0.318275481f,    -0.0364686511f, 0.00502854912f,
                -0.000207692516f, -0.0000781269337f, 0.0000158183848f, -9.57732937e-7f};
  ExpConstants exp;
};
inline constexpr GeluConstants kGeluConstants;

template <class Arithmetic>
inline v128_t gelu_erf(v128_t x, const GeluConstants& c) {
  // With the upper tail t, the result is x - x t(x) for positive x and x t(-x) for negative x: max(x, 0) - |x| t(|x|).
  // Beyond 6 the second term is < 6e-9 and kept constant. pmin and pmax return their first operand if it is NaN.
  const v128_t size = wasm_f32x4_pmin(wasm_f32x4_abs(x), c.bound);
  // By powers of the square, for a shorter chain of dependent operations.
  const v128_t square = wasm_f32x4_mul(size, size);
  v128_t p = Arithmetic::madd(c.p[8], size, c.p[7]);
  p = Arithmetic::madd(p, square, Arithmetic::madd(c.p[6], size, c.p[5]));
  p = Arithmetic::madd(p, square, Arithmetic::madd(c.p[4], size, c.p[3]));
  p = Arithmetic::madd(p, square, Arithmetic::madd(c.p[2], size, c.p[1]));
  p = Arithmetic::madd(p, size, c.p[0]);
  const v128_t tail = exp_in_range<Arithmetic>(p, c.exp);
  return wasm_f32x4_sub(wasm_f32x4_pmax(x, wasm_f32x4_splat(0)), wasm_f32x4_mul(size, tail));
}

// In place.
template <class Arithmetic>
[[gnu::noinline]] void gelu_erf(float* x, size_t vectors) {
  const GeluConstants& constants = loaded(kGeluConstants);
  for (size_t i = 0; i < vectors; ++i, x += 4) wasm_v128_store(x, gelu_erf<Arithmetic>(wasm_v128_load(x), constants));
}

}  // namespace quintet::generic
