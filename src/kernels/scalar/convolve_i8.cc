#include "kernels/convolve_i8.h"

#include <algorithm>
#include <cstring>

#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

constexpr size_t kInterleavedPanelQuad = kPanelRows * kQuad;

// Returns value `column` of a segment of one row of a panel.
int8_t weight(const PairedMatrix& w, size_t panel, size_t segment, size_t row, size_t column) {
  if (column >= w.length()) return 0;
  const size_t pair = segment * w.pairs() + column / 2;
  return w.panel(panel)[(pair * kPanelRows + row) * 2 + column % 2];
}

// The sum is modulo 2^32. `q` and `weights` are the first quads of a window and of a row of a panel.
uint32_t dot_interleaved(const uint8_t* q, const int8_t* weights, size_t quads) {
  uint32_t sum = 0;
  for (size_t i = 0; i < quads * kQuad; ++i) {
    const int32_t product =
        q[i / kQuad * kQuad * kInterleavedWindows + i % kQuad] * weights[i / kQuad * kInterleavedPanelQuad + i % kQuad];
    sum += static_cast<uint32_t>(product);
  }
  return sum;
}

}  // namespace

void interleave_windows(const InterleaveWindowsOperands& in) {
  const Im2colView& view = in.view;
  const size_t padded = (view.run + kQuad - 1) / kQuad * kQuad;
  uint8_t* q = in.q;
  for (size_t first = in.begin; first < in.end; first += kInterleavedWindows) {
    for (size_t i = 0; i < view.rows * padded; i += kQuad) {
      for (size_t r = 0; r < kInterleavedWindows; ++r) {
        const int16_t* const window = in.input + view.offset(std::min(first + r, in.end - 1));
        for (size_t j = 0; j < kQuad; ++j) {
          const size_t column = i % padded + j;
          const int16_t value = column < view.run ? window[i / padded * view.row_stride + column] : int16_t{0};
          *q++ = static_cast<uint8_t>(value + in.zero_point);
        }
      }
    }
  }
}

void interleave_panels(const PairedMatrix& w, size_t begin, size_t end, int8_t* out) {
  const size_t padded = (w.length() + kQuad - 1) / kQuad * kQuad;
  for (size_t p = begin; p < end; ++p) {
    int32_t sums[kPanelRows] = {};
    for (size_t i = 0; i < w.segments() * padded; i += kQuad) {
      for (size_t row = 0; row < kPanelRows; ++row) {
        for (size_t j = 0; j < kQuad; ++j) sums[row] += * out++ = weight(w, p, i / padded, row, i % padded + j);
      }
    }
    std::memcpy(out, sums, sizeof sums);
    out += sizeof sums;
  }
}

void convolve_i8(const ConvolveI8Operands& in, const StaticEpilogue& epilogue, const ConvTile& tile) {
  const PairedMatrix& w = in.w;
  const size_t quads = interleaved_quads(w);
  const size_t channel_end = std::min(tile.panel_end * kPanelRows, w.rows());
  for (size_t i = 0; i < tile.end - tile.begin; ++i) {
    const uint8_t* const window =
        in.q + i / kInterleavedWindows * interleaved_window_bytes(w) + i % kInterleavedWindows * kQuad;
    for (size_t channel = tile.panel_begin * kPanelRows; channel < channel_end; ++channel) {
      const int8_t* const panel = in.panels + (channel / kPanelRows - tile.panel_begin) * interleaved_panel_bytes(w);
      const size_t row = channel % kPanelRows;
      int32_t weight_sum;
      std::memcpy(&weight_sum, panel + quads * kInterleavedPanelQuad + row * sizeof weight_sum, sizeof weight_sum);
      const uint32_t offset = static_cast<uint32_t>(in.zero_point) * static_cast<uint32_t>(weight_sum);
      const size_t at = in.grid.offset(tile.begin + i) + channel;
      in.output[at] = requantize(dot_interleaved(window, panel + row * kQuad, quads) - offset, epilogue, channel, at);
    }
  }
}

}  // namespace quintet::scalar
