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

void gemm_f32(const GemmF32Operands& in, const Epilogue& epilogue, const GemmTile& tile) {
  const size_t n_end = std::min(tile.panel_end * kPanelRows, in.w.rows());
  for (size_t m = tile.row_begin; m < tile.row_end; ++m) {
    for (size_t n = tile.panel_begin * kPanelRows; n < n_end; ++n) {
      float sum = 0;
      for (size_t k = 0; k < in.w.cols(); ++k) sum += in.a.row(m)[k] * weight(in.w, n, k);
      in.c.row(m)[n] = finish(sum, epilogue, m, n);
    }
  }
}

void gemm_panels_f32(const GemmPanelsF32Operands& in, const Epilogue& epilogue) {
  for (size_t m = 0; m < in.m; ++m) {
    for (size_t n = 0; n < in.n; ++n) {
      const float* panel = in.panels + n / kPanelRows * in.k * kPanelRows;
      float sum = 0;
      for (size_t k = 0; k < in.k; ++k) sum += in.a.row(m)[k] * panel[k * kPanelRows + n % kPanelRows];
      in.c.row(m)[n] = finish(sum, epilogue, m, n);
    }
  }
}

}  // namespace quintet::scalar
