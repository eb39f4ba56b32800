#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// `weights` are those of one output of a panel. Products of 16-bit integers fit 32 bits, but not all sums of two do.
uint32_t dot(const int16_t* window, const Im2colView& view, const int16_t* weights) {
  uint32_t sum = 0;
  const size_t pairs = view.run / 2 + view.run % 2;
  for (size_t row = 0; row < view.rows; ++row) {
    const int16_t* const of_row = weights + row * pairs * 2 * kPanelRows;
    for (size_t i = 0; i < view.run; ++i) {
      const int32_t product = window[row * view.row_stride + i] * of_row[i / 2 * 2 * kPanelRows + i % 2];
      sum += static_cast<uint32_t>(product);
    }
  }
  return sum;
}

}  // namespace

void widen_panels(const PairedMatrix& w, size_t begin, size_t end, int16_t* out) {
  for (size_t p = begin; p < end; ++p) {
    const int8_t* values = w.panel(p);
    for (size_t s = 0; s < w.segments(); ++s) {
      for (size_t i = 0; i < w.pairs() * 2 * kPanelRows; ++i) {
        const size_t lane = i % (2 * kPanelRows) / 2;
        const size_t column = i / (2 * kPanelRows) * 2 + i % 2;
        const bool exists = column < w.length() && p * kPanelRows + lane < w.rows();
        *out++ = exists ? static_cast<int16_t>(*values - w.zero_points(p)[s * kPanelRows + lane]) : int16_t{0};
        ++values;
      }
    }
  }
}

void convolve_i16(const ConvolveI16Operands& in, const StaticEpilogue& epilogue, const ConvTile& tile) {
  const PairedMatrix& w = in.w;
  const size_t channel_end = std::min(tile.panel_end * kPanelRows, w.rows());
  for (size_t i = tile.begin; i < tile.end; ++i) {
    for (size_t channel = tile.panel_begin * kPanelRows; channel < channel_end; ++channel) {
      const int16_t* const panel = in.panels + (channel / kPanelRows - tile.panel_begin) * w.panel_values();
      const uint32_t sum = dot(in.input + in.view.offset(i), in.view, panel + channel % kPanelRows * 2);
      const size_t at = in.grid.offset(i) + channel;
      in.output[at] = requantize(sum, epilogue, channel, at);
    }
  }
}

}  // namespace quintet::scalar
