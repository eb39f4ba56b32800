#include <algorithm>
#include <cmath>

#include "kernels/variants.h"

namespace quintet::scalar {

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

}  // namespace quintet::scalar
