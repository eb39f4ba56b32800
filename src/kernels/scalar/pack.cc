#include "kernels/variants.h"

namespace quintet::scalar {

void pack_rows(const float* x, size_t x_stride, size_t rows, size_t cols, float* panels) {
  const size_t padded = (rows + kPanelRows - 1) / kPanelRows * kPanelRows;
  for (size_t r = 0; r < padded; ++r) {
    float* lane = panels + r / kPanelRows * cols * kPanelRows + r % kPanelRows;
    for (size_t i = 0; i < cols; ++i) lane[i * kPanelRows] = r < rows ? x[r * x_stride + i] : 0;
  }
}

void pack_columns(const float* x, size_t x_stride, size_t rows, size_t cols, float* panels) {
  const size_t padded = (cols + kPanelRows - 1) / kPanelRows * kPanelRows;
  for (size_t i = 0; i < padded; ++i) {
    float* lane = panels + i / kPanelRows * rows * kPanelRows + i % kPanelRows;
    for (size_t r = 0; r < rows; ++r) lane[r * kPanelRows] = i < cols ? x[r * x_stride + i] : 0;
  }
}

}  // namespace quintet::scalar
