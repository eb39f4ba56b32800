#pragma once
// The exponential function of four floats.
// Coefficients: tools/polynomials/fit.mjs. Measured over all floats of the range: relative error < 1.2e-7.

#include "kernels/wasm_simd.h"

namespace quintet::generic {

// exp(x) for x in [kExpLowest, 88]; NaN gives NaN.
constexpr float kExpLowest = -87;

template <class Arithmetic>
inline v128_t exp_in_range(v128_t x) {
  // n = x / ln 2 rounded to an integer: adding 1.5 * 2^23 leaves no bits for a fraction, and n is then also the
  // low bits of the sum.
  const v128_t magic = wasm_f32x4_splat(12582912.0f);
  const v128_t shifted = Arithmetic::madd(x, wasm_f32x4_splat(1.44269504f), magic);
  const v128_t n = wasm_f32x4_sub(shifted, magic);

  // r = x - n ln 2, with ln 2 in two parts, of which the first times n is exact.
  v128_t r = Arithmetic::madd(n, wasm_f32x4_splat(-0.693359375f), x);
  r = Arithmetic::madd(n, wasm_f32x4_splat(2.12194440e-4f), r);

  // exp(r) = 1 + r + r^2 p(r)
  v128_t p = wasm_f32x4_splat(0.00138146128f);
  p = Arithmetic::madd(p, r, wasm_f32x4_splat(0.00836871006f));
  p = Arithmetic::madd(p, r, wasm_f32x4_splat(0.0416683890f));
  p = Arithmetic::madd(p, r, wasm_f32x4_splat(0.166665211f));
  p = Arithmetic::madd(p, r, wasm_f32x4_splat(0.499999940f));
  p = Arithmetic::madd(p, r, wasm_f32x4_splat(1));
  p = Arithmetic::madd(p, r, wasm_f32x4_splat(1));

  // A product and not an addition to the exponent of p: NaN stays NaN.
  const v128_t power = wasm_i32x4_add(wasm_i32x4_shl(shifted, 23), wasm_i32x4_splat(0x3f800000));
  return wasm_f32x4_mul(p, power);
}

// exp(x) for x <= 88; zero below kExpLowest.
template <class Arithmetic>
inline v128_t exp(v128_t x) {
  const v128_t underflow = wasm_f32x4_lt(x, wasm_f32x4_splat(kExpLowest));
  return wasm_v128_andnot(exp_in_range<Arithmetic>(x), underflow);
}

}  // namespace quintet::generic
