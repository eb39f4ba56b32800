#include "kernels/scalar/static_epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// `weights`: those of one output of a panel. Products of 16-bit integers fit 32 bits, but not all sums of two do.
uint32_t dot(const int16_t* window, const Windows& windows, const int16_t* weights) {
  uint32_t sum = 0;
  const size_t pairs = windows.run / 2 + windows.run % 2;
  for (size_t row = 0; row < windows.rows; ++row) {
    const int16_t* const of_row = weights + row * pairs * 2 * kPanelRows;
    for (size_t i = 0; i < windows.run; ++i) {
      const int32_t product = window[row * windows.row_stride + i] * of_row[i / 2 * 2 * kPanelRows + i % 2];
      sum += static_cast<uint32_t>(product);
    }
  }
  return sum;
}

}  // namespace

void convolve_i16(const int16_t* input, const Windows& windows, const PairedMatrix& w, const int16_t* panels,
                  int16_t* output, const OutputGrid& grid, const StaticEpilogue& epilogue, const ConvTile& tile) {
  const size_t channel_end = std::min(tile.panel_end * kPanelRows, w.rows());
  for (size_t i = tile.begin; i < tile.end; ++i) {
    for (size_t channel = tile.panel_begin * kPanelRows; channel < channel_end; ++channel) {
      const int16_t* const panel = panels + (channel / kPanelRows - tile.panel_begin) * w.panel_values();
      const uint32_t sum = dot(input + windows.offset(i), windows, panel + channel % kPanelRows * 2);
      const size_t at = grid.offset(i) + channel;
      output[at] = requantize(sum, epilogue, channel, at);
    }
  }
}

}  // namespace quintet::scalar
