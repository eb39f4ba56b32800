#include <cmath>

#include "kernels/variants.h"

namespace quintet::scalar {

void layer_norm_rows(const float* x, size_t x_stride, size_t rows, size_t cols, const float* gamma, const float* beta,
                     float epsilon, float* y, size_t y_stride) {
  const float count = static_cast<float>(cols);
  for (size_t r = 0; r < rows; ++r) {
    const float* in = x + r * x_stride;
    float* out = y + r * y_stride;
    float sum = 0;
    for (size_t i = 0; i < cols; ++i) sum += in[i];
    const float mean = sum / count;
    // A second pass: the difference of two large sums would lose the digits of a small variance.
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

}  // namespace quintet::scalar
