#include "kernels/variants.h"

namespace quintet::scalar {

void pack_rows(const PackOperands& in) {
  const size_t padded = (in.rows + kPanelRows - 1) / kPanelRows * kPanelRows;
  for (size_t r = 0; r < padded; ++r) {
    float* lane = in.panels + r / kPanelRows * in.cols * kPanelRows + r % kPanelRows;
    for (size_t i = 0; i < in.cols; ++i) lane[i * kPanelRows] = r < in.rows ? in.x.row(r)[i] : 0;
  }
}

void pack_columns(const PackOperands& in) {
  const size_t padded = (in.cols + kPanelRows - 1) / kPanelRows * kPanelRows;
  for (size_t i = 0; i < padded; ++i) {
    float* lane = in.panels + i / kPanelRows * in.rows * kPanelRows + i % kPanelRows;
    for (size_t r = 0; r < in.rows; ++r) lane[r * kPanelRows] = i < in.cols ? in.x.row(r)[i] : 0;
  }
}

}  // namespace quintet::scalar
