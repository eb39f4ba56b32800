#include <algorithm>
#include <cmath>

#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// Below its bound the result is 0 in float precision. Without the bound, -infinity would give NaN.
float silu(float x) {
  if (x < -87) x = -87;
  return x / (1 + std::exp(-x));
}

// 0.5 x (1 + tanh(u)) = x / (1 + exp(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3). This form avoids the cancellation for
// negative x.
float gelu_tanh(float x) {
  if (x < -9.5F) x = -9.5F;
  constexpr float kTwice = 2 * std::numbers::sqrt2_v<float> * std::numbers::inv_sqrtpi_v<float>;
  return x / (1 + std::exp(-kTwice * (x + 0.044715F * x * x * x)));
}

// silu(c x) / c
float gelu_quick(float x) { return silu(1.702F * x) / 1.702F; }

float relu(float x) { return x < 0 ? 0 : x; }

float relu6(float x) { return std::min(relu(x), 6.0F); }
float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }
float hard_sigmoid(float x) { return relu6(x + 3) / 6; }
float hard_swish(float x) { return x * relu6(x + 3) / 6; }
float relu_squared(float x) { return relu(x) * relu(x); }

using Function = float(float);

// Null for none.
Function* function_of(Activation activation) {
  switch (activation) {
    case Activation::none:
      return nullptr;
    case Activation::silu:
      return silu;
    case Activation::gelu_erf:
      return gelu_erf;
    case Activation::gelu_tanh:
      return gelu_tanh;
    case Activation::gelu_quick:
      return gelu_quick;
    case Activation::relu:
      return relu;
    case Activation::relu_squared:
      return relu_squared;
    case Activation::relu6:
      return relu6;
    case Activation::sigmoid:
      return sigmoid;
    case Activation::hard_sigmoid:
      return hard_sigmoid;
    case Activation::hard_swish:
      return hard_swish;
  }
  return nullptr;
}

}  // namespace

void layer_norm_rows(const NormOperands& in) {
  const float count = static_cast<float>(in.cols);
  for (size_t r = 0; r < in.rows; ++r) {
    const float* x = in.x.row(r);
    float* y = in.y.row(r);
    float sum = 0;
    for (size_t i = 0; i < in.cols; ++i) sum += x[i];
    const float mean = sum / count;
    // A second pass, because the difference of two large sums would lose the digits of a small variance.
    float squares = 0;
    for (size_t i = 0; i < in.cols; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const float deviation = std::sqrt(squares / count + in.epsilon);
    for (size_t i = 0; i < in.cols; ++i) y[i] = (x[i] - mean) / deviation * in.gamma[i] + in.beta[i];
  }
}

void rms_norm_rows(const NormOperands& in) {
  for (size_t r = 0; r < in.rows; ++r) {
    const float* x = in.x.row(r);
    float* y = in.y.row(r);
    float squares = 0;
    for (size_t i = 0; i < in.cols; ++i) squares += x[i] * x[i];
    const float size = std::sqrt(squares / static_cast<float>(in.cols) + in.epsilon);
    for (size_t i = 0; i < in.cols; ++i) y[i] = x[i] / size * in.gamma[i];
  }
}

void softmax_rows(const SoftmaxOperands& in) {
  for (size_t r = 0; r < in.rows; ++r) {
    float* x = in.x.row(r);
    const float max = in.cols == 0 ? 0 : *std::max_element(x, x + in.cols);
    float sum = 0;
    for (size_t i = 0; i < in.cols; ++i) {
      x[i] = std::exp(x[i] - max);
      sum += x[i];
    }
    for (size_t i = 0; i < in.cols; ++i) x[i] /= sum;
  }
}

void rotate_heads(const RotationOperands& in) {
  const size_t half = in.rope_dim / 2;
  for (size_t h = 0; h < in.heads; ++h) {
    float* x = in.x + h * in.head_dim;
    for (size_t i = 0; i < half; ++i) {
      const float a = x[i];
      const float b = x[i + half];
      x[i] = a * in.cosines[i] - b * in.sines[i];
      x[i + half] = b * in.cosines[i] + a * in.sines[i];
    }
  }
}

void mlp_activation(const MlpActivationOperands& in) {
  Function* const function = function_of(in.activation);
  if (function == nullptr) return;
  for (size_t i = 0; i < in.count; ++i) in.y[i] = function(in.gate[i]) * (in.up == nullptr ? 1 : in.up[i]);
}

void activate(Activation activation, float* x, size_t count) {
  mlp_activation({.activation = activation, .gate = x, .up = nullptr, .count = count, .y = x});
}

void soft_cap(float* x, size_t count, float cap) {
  for (size_t i = 0; i < count; ++i) x[i] = cap * std::tanh(x[i] / cap);
}

}  // namespace quintet::scalar
