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

float relu(float x) { return x < 0 ? 0 : x; }

template <class Function>
void activate_all(Function function, const float* gate, const float* up, size_t count, float* y) {
  for (size_t i = 0; i < count; ++i) y[i] = function(gate[i]) * (up == nullptr ? 1 : up[i]);
}

}  // namespace

void layer_norm_rows(const float* x, size_t x_stride, size_t rows, size_t cols, const float* gamma, const float* beta,
                     float epsilon, float* y, size_t y_stride) {
  const float count = static_cast<float>(cols);
  for (size_t r = 0; r < rows; ++r) {
    const float* in = x + r * x_stride;
    float* out = y + r * y_stride;
    float sum = 0;
    for (size_t i = 0; i < cols; ++i) sum += in[i];
    const float mean = sum / count;
    // A second pass, because the difference of two large sums would lose the digits of a small variance.
    float squares = 0;
    for (size_t i = 0; i < cols; ++i) squares += (in[i] - mean) * (in[i] - mean);
    const float deviation = std::sqrt(squares / count + epsilon);
    for (size_t i = 0; i < cols; ++i) out[i] = (in[i] - mean) / deviation * gamma[i] + beta[i];
  }
}

void rms_norm_rows(const float* x, size_t x_stride, size_t rows, size_t cols, const float* gamma, float epsilon,
                   float* y, size_t y_stride) {
  for (size_t r = 0; r < rows; ++r) {
    const float* in = x + r * x_stride;
    float* out = y + r * y_stride;
    float squares = 0;
    for (size_t i = 0; i < cols; ++i) squares += in[i] * in[i];
    const float size = std::sqrt(squares / static_cast<float>(cols) + epsilon);
    for (size_t i = 0; i < cols; ++i) out[i] = in[i] / size * gamma[i];
  }
}

void softmax_rows(float* x, size_t x_stride, size_t rows, size_t cols) {
  for (size_t r = 0; r < rows; ++r) {
    float* row = x + r * x_stride;
    const float largest = cols == 0 ? 0 : *std::max_element(row, row + cols);
    float sum = 0;
    for (size_t i = 0; i < cols; ++i) {
      row[i] = std::exp(row[i] - largest);
      sum += row[i];
    }
    for (size_t i = 0; i < cols; ++i) row[i] /= sum;
  }
}

void rotate_heads(float* x, size_t heads, size_t head_dim, size_t rope_dim, const float* cosines, const float* sines) {
  const size_t half = rope_dim / 2;
  for (size_t h = 0; h < heads; ++h, x += head_dim) {
    for (size_t i = 0; i < half; ++i) {
      const float a = x[i];
      const float b = x[i + half];
      x[i] = a * cosines[i] - b * sines[i];
      x[i + half] = b * cosines[i] + a * sines[i];
    }
  }
}

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

void soft_cap(float* x, size_t count, float cap) {
  for (size_t i = 0; i < count; ++i) x[i] = cap * std::tanh(x[i] / cap);
}

}  // namespace quintet::scalar
