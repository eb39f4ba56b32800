#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }
float relu6(float x) { return std::min(std::max(x, 0.0F), 6.0F); }
float gelu_tanh(float x) {
  const float inner = std::numbers::sqrt2_v<float> * std::numbers::inv_sqrtpi_v<float> * (x + 0.044715F * x * x * x);
  return x * sigmoid(2 * inner);
}

float activated(Activation activation, float x) {
  switch (activation) {
    case Activation::none:
    case Activation::relu_squared:  // not one of image networks
      return x;
    case Activation::silu:
      return x * sigmoid(x);
    case Activation::gelu_erf:
      return gelu_erf(x);
    case Activation::gelu_tanh:
      return gelu_tanh(x);
    case Activation::relu:
      return std::max(x, 0.0F);
    case Activation::relu6:
      return relu6(x);
    case Activation::sigmoid:
      return sigmoid(x);
    case Activation::hard_sigmoid:
      return relu6(x + 3) / 6;
    case Activation::hard_swish:
      return x * relu6(x + 3) / 6;
  }
  return x;
}

}  // namespace

void activate(Activation activation, float* x, size_t count) {
  for (size_t i = 0; i < count; ++i) x[i] = activated(activation, x[i]);
}

}  // namespace quintet::scalar
