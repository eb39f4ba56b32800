#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// Below its bound the result is 0 to float precision; without the bound -infinity would give NaN.
float silu(float x) {
  if (x < -87) x = -87;
  return x / (1 + std::exp(-x));
}

// 0.5 x (1 + tanh(u)) = x / (1 + exp(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3): without the difference that leaves no
// digits of a negative x.
float gelu_tanh(float x) {
  if (x < -9.5F) x = -9.5F;
  constexpr float kTwice = 2 * std::numbers::sqrt2_v<float> * std::numbers::inv_sqrtpi_v<float>;
  return x / (1 + std::exp(-kTwice * (x + 0.044715F * x * x * x)));
}

float relu(float x) { return x < 0 ? 0 : x; }

template <class Function>
void activate_all(Function function, const float* gate, const float* up, size_t count, float* y) {
  for (size_t i = 0; i < count; ++i) y[i] = function(gate[i]) * (up == nullptr ? 1 : up[i]);
}

}  // namespace

void mlp_activation(Activation activation, const float* gate, const float* up, size_t count, float* y) {
  switch (activation) {
    case Activation::none:
      return;
    case Activation::silu:
      return activate_all(silu, gate, up, count, y);
    case Activation::gelu_erf:
      return activate_all(gelu_erf, gate, up, count, y);
    case Activation::gelu_tanh:
      return activate_all(gelu_tanh, gate, up, count, y);
    case Activation::relu:
      return activate_all(relu, gate, up, count, y);
  }
}

}  // namespace quintet::scalar
