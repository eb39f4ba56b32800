#include "base/half.h"
#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// The weight that multiplies column k of the activations in output feature n.
float weight(const PackedMatrix& w, size_t n, size_t k) {
  const size_t panel = n / kPanelRows;
  const size_t i = k * kPanelRows + n % kPanelRows;
  switch (w.storage()) {
    case Storage::f16:
      return f16_to_f32(w.panel_half(panel)[i]);
    case Storage::bf16:
      return bf16_to_f32(w.panel_half(panel)[i]);
    default:
      return w.panel_f32(panel)[i];
  }
}

}  // namespace

void gemm_f32(const float* a, size_t a_stride, const PackedMatrix& w, float* c, size_t c_stride,
              const Epilogue& epilogue, const GemmTile& tile) {
  const size_t n_end = std::min(tile.panel_end * kPanelRows, w.rows());
  for (size_t m = tile.row_begin; m < tile.row_end; ++m) {
    for (size_t n = tile.panel_begin * kPanelRows; n < n_end; ++n) {
      float sum = 0;
      for (size_t k = 0; k < w.cols(); ++k) sum += a[m * a_stride + k] * weight(w, n, k);
      c[m * c_stride + n] = finish(sum, epilogue, m, n);
    }
  }
}

void gemm_panels_f32(const float* a, size_t a_stride, size_t rows, const float* panels, size_t cols, size_t depth,
                     float* c, size_t c_stride, const Epilogue& epilogue) {
  for (size_t m = 0; m < rows; ++m) {
    for (size_t n = 0; n < cols; ++n) {
      const float* panel = panels + n / kPanelRows * depth * kPanelRows;
      float sum = 0;
      for (size_t k = 0; k < depth; ++k) sum += a[m * a_stride + k] * panel[k * kPanelRows + n % kPanelRows];
      c[m * c_stride + n] = finish(sum, epilogue, m, n);
    }
  }
}

}  // namespace quintet::scalar
