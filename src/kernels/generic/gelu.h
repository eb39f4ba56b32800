#pragma once
// GELU: x times the probability that a standard normal variable is less than x.
// Coefficients: tools/polynomials/fit.mjs. |error| < 1.5e-7 |x|, measured over the range.

#include <cstddef>

#include "kernels/generic/exp.h"

namespace quintet::generic {

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
  // With t the upper tail, the result is x - x t(x) for positive x and x t(-x) for negative:
  // max(x, 0) - |x| t(|x|). Beyond 6 the second term is < 6e-9 and stays what it is there. pmin and
  // pmax keep their first operand if it is NaN.
  const v128_t size = wasm_f32x4_pmin(wasm_f32x4_abs(x), c.bound);
  // By powers of the square: a shorter chain of dependent operations.
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
