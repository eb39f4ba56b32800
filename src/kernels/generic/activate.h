#pragma once
// The activations of image networks.

#include "kernels/activate.h"
#include "kernels/generic/mlp_activation.h"

namespace quintet::generic {

// Both functions return their first operand if that is NaN, so NaN stays NaN.
inline v128_t relu6(v128_t x) { return wasm_f32x4_pmin(wasm_f32x4_pmax(x, wasm_f32x4_splat(0)), wasm_f32x4_splat(6)); }

struct Relu6 {
  template <class Arithmetic>
  static v128_t apply(v128_t x, const MlpActivationConstants&) {
    return relu6(x);
  }
};

struct Sigmoid {
  template <class Arithmetic>
  static v128_t apply(v128_t x, const MlpActivationConstants& c) {
    const v128_t bounded = wasm_f32x4_pmax(x, c.lowest_silu);
    return wasm_f32x4_div(c.one, wasm_f32x4_add(c.one, exp<Arithmetic>(wasm_f32x4_neg(bounded), c.exp)));
  }
};

struct HardSigmoid {
  template <class Arithmetic>
  static v128_t apply(v128_t x, const MlpActivationConstants&) {
    return wasm_f32x4_div(relu6(wasm_f32x4_add(x, wasm_f32x4_splat(3))), wasm_f32x4_splat(6));
  }
};

struct HardSwish {
  template <class Arithmetic>
  static v128_t apply(v128_t x, const MlpActivationConstants&) {
    const v128_t gated = wasm_f32x4_mul(x, relu6(wasm_f32x4_add(x, wasm_f32x4_splat(3))));
    return wasm_f32x4_mul(gated, wasm_f32x4_splat(1.0F / 6));
  }
};

template <class Arithmetic>
inline void activate(Activation activation, float* x, size_t count) {
  const MlpActivationOperands in = {.activation = activation, .gate = x, .up = nullptr, .count = count, .y = x};
  switch (activation) {
    case Activation::none:
    case Activation::relu_squared:  // not one of image networks
      return;
    case Activation::silu:
      return activate_all<Arithmetic, Silu>(in);
    case Activation::gelu_erf:
      return activate_all<Arithmetic, GeluErf>(in);
    case Activation::gelu_tanh:
      return activate_all<Arithmetic, GeluTanh>(in);
    case Activation::relu:
      return activate_all<Arithmetic, Relu>(in);
    case Activation::relu6:
      return activate_all<Arithmetic, Relu6>(in);
    case Activation::sigmoid:
      return activate_all<Arithmetic, Sigmoid>(in);
    case Activation::hard_sigmoid:
      return activate_all<Arithmetic, HardSigmoid>(in);
    case Activation::hard_swish:
      return activate_all<Arithmetic, HardSwish>(in);
  }
}

}  // namespace quintet::generic
