#pragma once
// Soft caps: tanh by the exponential function.

#include "kernels/generic/exp.h"

namespace quintet::generic {

struct SoftCapConstants {
  Splat one = 1;
  Splat farthest = 20;  // tanh is 1 in float precision from there on
  ExpConstants exp;
};
inline constexpr SoftCapConstants kSoftCapConstants;

// tanh(x) = sign(x) (1 - e) / (1 + e), e = exp(-2 |x|). |error| < 2e-7. NaN gives NaN: pmin returns its first operand.
template <class Arithmetic>
inline v128_t tanh(v128_t x, const SoftCapConstants& c) {
  const v128_t size = wasm_f32x4_pmin(wasm_f32x4_abs(x), c.farthest);
  const v128_t e = exp_in_range<Arithmetic>(wasm_f32x4_neg(wasm_f32x4_add(size, size)), c.exp);
  const v128_t result = wasm_f32x4_div(wasm_f32x4_sub(c.one, e), wasm_f32x4_add(c.one, e));
  return wasm_v128_or(result, wasm_v128_and(x, wasm_f32x4_splat(-0.0F)));
}

template <class Arithmetic>
[[gnu::noinline]] void soft_cap(float* x, size_t count, float cap) {
  const SoftCapConstants& constants = loaded(kSoftCapConstants);
  const v128_t caps = wasm_f32x4_splat(cap), inverse = wasm_f32x4_splat(1 / cap);
  for (size_t i = 0; i < count; i += 4) {
    const size_t left = count - i;
    const v128_t values = left >= 4 ? wasm_v128_load(x + i) : load_some(x + i, left, 0);
    const v128_t capped = wasm_f32x4_mul(tanh<Arithmetic>(wasm_f32x4_mul(values, inverse), constants), caps);
    left >= 4 ? wasm_v128_store(x + i, capped) : store_some(x + i, left, capped);
  }
}

}  // namespace quintet::generic
