#pragma once
// The activations of a decoder's MLP. pmax returns its first operand if it is NaN.

#include "kernels/generic/exp.h"
#include "kernels/mlp_activation.h"

namespace quintet::generic {

struct MlpActivationConstants {
  Splat one = 1;
  // Below these bounds the results are 0 in float precision. Without them, -infinity would give NaN.
  Splat lowest_silu = -87;
  Splat lowest_gelu = -9.5F;
  Splat cubic = 0.044715F;
  Splat negative_twice = -1.59576912F;  // - 2 sqrt(2 / pi)
  GeluConstants gelu;
  ExpConstants exp;
};
inline constexpr MlpActivationConstants kMlpActivationConstants;

struct Silu {
  template <class Arithmetic>
  static v128_t apply(v128_t gate, const MlpActivationConstants& c) {
    const v128_t x = wasm_f32x4_pmax(gate, c.lowest_silu);
    return wasm_f32x4_div(x, wasm_f32x4_add(c.one, exp<Arithmetic>(wasm_f32x4_neg(x), c.exp)));
  }
};

struct GeluErf {
  template <class Arithmetic>
  static v128_t apply(v128_t gate, const MlpActivationConstants& c) {
    return gelu_erf<Arithmetic>(gate, c.gelu);
  }
};

// x / (1 + exp(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3)
struct GeluTanh {
  template <class Arithmetic>
  static v128_t apply(v128_t gate, const MlpActivationConstants& c) {
    const v128_t x = wasm_f32x4_pmax(gate, c.lowest_gelu);
    const v128_t slope = Arithmetic::madd(wasm_f32x4_mul(x, x), c.cubic, c.one);
    const v128_t exponent = wasm_f32x4_mul(wasm_f32x4_mul(x, c.negative_twice), slope);
    return wasm_f32x4_div(x, wasm_f32x4_add(c.one, exp<Arithmetic>(exponent, c.exp)));
  }
};

struct Relu {
  template <class Arithmetic>
  static v128_t apply(v128_t gate, const MlpActivationConstants&) {
    return wasm_f32x4_pmax(gate, wasm_f32x4_splat(0));
  }
};

struct ReluSquared {
  template <class Arithmetic>
  static v128_t apply(v128_t gate, const MlpActivationConstants& c) {
    const v128_t x = Relu::apply<Arithmetic>(gate, c);
    return wasm_f32x4_mul(x, x);
  }
};

template <class Arithmetic, class Function>
[[gnu::noinline]] void activate_all(const MlpActivationOperands& in) {
  const float* const gate = in.gate;
  const float* const up = in.up;
  const size_t count = in.count;
  float* const y = in.y;
  const MlpActivationConstants& constants = loaded(kMlpActivationConstants);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const v128_t value = Function::template apply<Arithmetic>(wasm_v128_load(gate + i), constants);
    wasm_v128_store(y + i, up == nullptr ? value : wasm_f32x4_mul(value, wasm_v128_load(up + i)));
  }
  if (i == count) return;
  const size_t left = count - i;
  const v128_t value = Function::template apply<Arithmetic>(load_some(gate + i, left, 0), constants);
  store_some(y + i, left, up == nullptr ? value : wasm_f32x4_mul(value, load_some(up + i, left, 0)));
}

template <class Arithmetic>
inline void mlp_activation(const MlpActivationOperands& in) {
  switch (in.activation) {
    case Activation::none:
      return;
    case Activation::silu:
      return activate_all<Arithmetic, Silu>(in);
    case Activation::gelu_erf:
      return activate_all<Arithmetic, GeluErf>(in);
    case Activation::gelu_tanh:
      return activate_all<Arithmetic, GeluTanh>(in);
    case Activation::relu:
      return activate_all<Arithmetic, Relu>(in);
    case Activation::relu_squared:
      return activate_all<Arithmetic, ReluSquared>(in);
    default:  // not one of transformers
      return;
  }
}

}  // namespace quintet::generic
