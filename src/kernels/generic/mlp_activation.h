#pragma once
// The activations of a decoder's MLP. pmax returns its first operand if it is NaN.

#include "kernels/generic/exp.h"
#include "kernels/generic/loops.h"
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

// The factors of gates, four values at a time. Without an `up` these are ones, always the same: a second
// loop for that would make each function twice as large.
struct UpValues {
  const float* data;
  size_t step;
};
inline constexpr float kOnes[4] = {1, 1, 1, 1};

// A multiple of four values.
using ActivateFours = void(const float* gate, UpValues up, float* y, size_t count);

template <class Arithmetic, class Function>
[[gnu::noinline]] void activate_fours(const float* gate, UpValues up, float* y, size_t count) {
  const MlpActivationConstants& constants = loaded(kMlpActivationConstants);
  QUINTET_KEEP_LOOP
  for (size_t i = 0; i < count; i += 4, up.data += up.step) {
    const v128_t value = Function::template apply<Arithmetic>(wasm_v128_load(gate + i), constants);
    wasm_v128_store(y + i, wasm_f32x4_mul(value, wasm_v128_load(up.data)));
  }
}

template <class Arithmetic>
inline ActivateFours* function_for(Activation activation) {
  switch (activation) {
    case Activation::silu:
      return activate_fours<Arithmetic, Silu>;
    case Activation::gelu_erf:
      return activate_fours<Arithmetic, GeluErf>;
    case Activation::gelu_tanh:
      return activate_fours<Arithmetic, GeluTanh>;
    case Activation::relu:
      return activate_fours<Arithmetic, Relu>;
    case Activation::relu_squared:
      return activate_fours<Arithmetic, ReluSquared>;
    default:  // not one of transformers
      return nullptr;
  }
}

template <class Arithmetic>
inline void mlp_activation(const MlpActivationOperands& in) {
  ActivateFours* const activate = function_for<Arithmetic>(in.activation);
  if (activate == nullptr) return;
  const size_t whole = in.count / 4 * 4, left = in.count - whole;
  const bool has_up = in.up != nullptr;
  activate(in.gate, has_up ? UpValues{in.up, 4} : UpValues{kOnes, 0}, in.y, whole);
  if (left == 0) return;
  float gate[4], up[4];
  wasm_v128_store(gate, load_some(in.gate + whole, left, 0));
  wasm_v128_store(up, load_some(has_up ? in.up + whole : kOnes, left, 0));
  activate(gate, {up, 0}, gate, 4);
  store_some(in.y + whole, left, wasm_v128_load(gate));
}

}  // namespace quintet::generic
