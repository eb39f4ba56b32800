#pragma once
// The activations of image networks.

#include "kernels/activate.h"
#include "kernels/generic/mlp_activation.h"

namespace quintet::generic {

// Both functions return their first operand if that is NaN, so NaN stays NaN.
inline v128_t relu6(v128_t x) { return wasm_f32x4_pmin(wasm_f32x4_pmax(x, wasm_f32x4_splat(0)), wasm_f32x4_splat(6)); }

// x sigmoid(c x) = silu(c x) / c
struct GeluQuick {
  template <class Arithmetic>
  static v128_t apply(v128_t x, const MlpActivationConstants& c) {
    const v128_t gate = Silu::apply<Arithmetic>(wasm_f32x4_mul(x, wasm_f32x4_splat(1.702F)), c);
    return wasm_f32x4_mul(gate, wasm_f32x4_splat(1 / 1.702F));
  }
};

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

template <class Arithmetic, class Function>
void activate_vectors(float* x, const float* end) {
  const MlpActivationConstants& constants = loaded(kMlpActivationConstants);
  for (; x != end; x += 4) wasm_v128_store(x, Function::template apply<Arithmetic>(wasm_v128_load(x), constants));
}

// Whole vectors.
template <class Arithmetic>
[[gnu::noinline]] void activate_vectors(Activation activation, float* x, const float* end) {
  switch (activation) {
    case Activation::none:
    case Activation::relu_squared:  // not one of image networks
      return;
    case Activation::silu:
      return activate_vectors<Arithmetic, Silu>(x, end);
    case Activation::gelu_erf:
      return activate_vectors<Arithmetic, GeluErf>(x, end);
    case Activation::gelu_tanh:
      return activate_vectors<Arithmetic, GeluTanh>(x, end);
    case Activation::gelu_quick:
      return activate_vectors<Arithmetic, GeluQuick>(x, end);
    case Activation::relu:
      return activate_vectors<Arithmetic, Relu>(x, end);
    case Activation::relu6:
      return activate_vectors<Arithmetic, Relu6>(x, end);
    case Activation::sigmoid:
      return activate_vectors<Arithmetic, Sigmoid>(x, end);
    case Activation::hard_sigmoid:
      return activate_vectors<Arithmetic, HardSigmoid>(x, end);
    case Activation::hard_swish:
      return activate_vectors<Arithmetic, HardSwish>(x, end);
  }
}

template <class Arithmetic>
inline void activate(Activation activation, float* x, size_t count) {
  const size_t left = count % 4;
  float* const end = x + (count - left);
  activate_vectors<Arithmetic>(activation, x, end);
  if (left == 0) return;
  alignas(16) float lanes[4];
  wasm_v128_store(lanes, load_some(end, left, 0));
  activate_vectors<Arithmetic>(activation, lanes, lanes + 4);
  store_some(end, left, wasm_v128_load(lanes));
}

}  // namespace quintet::generic
