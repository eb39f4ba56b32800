#include <cmath>

#include "kernels/variants.h"

namespace quintet::scalar {

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
