#include "kernels/scalar/float_epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

float dot(const float* window, const Windows& windows, const float* weights) {
  float sum = 0;
  for (size_t row = 0; row < windows.rows; ++row) {
    for (size_t i = 0; i < windows.run; ++i, weights += kPanelRows)
      sum += window[row * windows.row_stride + i] * *weights;
  }
  return sum;
}

}  // namespace

void convolve_f32(const float* input, const Windows& windows, const PackedMatrix& w, float* output,
                  const OutputGrid& grid, const FloatEpilogue& epilogue, const ConvTile& tile) {
  const size_t n_end = std::min(tile.panel_end * kPanelRows, w.rows());
  for (size_t i = tile.begin; i < tile.end; ++i) {
    for (size_t n = tile.panel_begin * kPanelRows; n < n_end; ++n) {
      const float* const weights = w.panel_f32(n / kPanelRows) + n % kPanelRows;
      const size_t offset = grid.offset(i) + n;
      output[offset] = finish(dot(input + windows.offset(i), windows, weights), epilogue, offset, n);
    }
  }
}

}  // namespace quintet::scalar
