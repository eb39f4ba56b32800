#pragma once
// GELU: x times the probability that a standard normal variable is less than x.
// Coefficients: tools/polynomials/fit.mjs. Measured over all floats: |error| < 1.5e-7 |x|.

#include "kernels/generic/exp.h"

namespace quintet::generic {

template <class Arithmetic>
inline v128_t gelu_erf(v128_t x) {
  // With t(x) = exp(-p(x)) the upper tail of the normal distribution, the result is x - x t(x) for positive x and
  // x t(-x) for negative: max(x, 0) - |x| t(|x|). Beyond 6 the second term is < 6e-9 and stays what it is
  // there. pmin and pmax keep their first operand if it is NaN.
  const v128_t bound = wasm_f32x4_pmin(wasm_f32x4_abs(x), wasm_f32x4_splat(6));
  v128_t p = wasm_f32x4_splat(9.57732937e-7f);
  p = Arithmetic::madd(p, bound, wasm_f32x4_splat(-0.0000158183848f));
  p = Arithmetic::madd(p, bound, wasm_f32x4_splat(0.0000781269337f));
  p = Arithmetic::madd(p, bound, wasm_f32x4_splat(0.000207692516f));
  p = Arithmetic::madd(p, bound, wasm_f32x4_splat(-0.00502854912f));
  p = Arithmetic::madd(p, bound, wasm_f32x4_splat(0.0364686511f));
  p = Arithmetic::madd(p, bound, wasm_f32x4_splat(0.318275481f));
  p = Arithmetic::madd(p, bound, wasm_f32x4_splat(0.797887862f));
  p = Arithmetic::madd(p, bound, wasm_f32x4_splat(0.693147123f));
  const v128_t tail = exp_in_range<Arithmetic>(wasm_f32x4_neg(p));
  return wasm_f32x4_sub(wasm_f32x4_pmax(x, wasm_f32x4_splat(0)), wasm_f32x4_mul(bound, tail));
}

}  // namespace quintet::generic
