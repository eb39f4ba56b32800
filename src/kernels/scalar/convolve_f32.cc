#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

float dot(const float* window, const Im2colView& view, const float* weights) {
  float sum = 0;
  for (size_t row = 0; row < view.rows; ++row) {
    for (size_t i = 0; i < view.run; ++i, weights += kPanelRows) sum += window[row * view.row_stride + i] * *weights;
  }
  return sum;
}

}  // namespace

void convolve_f32(const ConvolveF32Operands& in, const FloatEpilogue& epilogue, const ConvTile& tile) {
  const size_t n_end = std::min(tile.panel_end * kPanelRows, in.w.rows);
  for (size_t i = tile.begin; i < tile.end; ++i) {
    for (size_t n = tile.panel_begin * kPanelRows; n < n_end; ++n) {
      const float* const weights = in.w.panel(n / kPanelRows) + n % kPanelRows;
      const size_t offset = in.grid.offset(i) + n;
      in.output[offset] = finish(dot(in.input + in.view.offset(i), in.view, weights), epilogue, offset, n);
    }
  }
}

}  // namespace quintet::scalar
