#include <array>
#include <cmath>
#include <cstring>

#include "kernels/quantize.h"
#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"
#include "tensor/finite.h"

namespace quintet::scalar {
namespace {

constexpr size_t kPixelQuad = kInterleavedWindows * kQuad, kPanelQuad = kPanelRows * kQuad;

float quantize_pixel(const float* x, size_t channels, const PixelRange& range, uint8_t* q) {
  float largest = 0;
  for (size_t c = 0; c < channels; ++c) largest = max_abs(std::array{largest, x[c] - range.min});
  const RowScale factors = row_scale(largest, range.steps());
  for (size_t c = 0; c < channels; ++c) {
    const float steps = factors.inverse == 0 ? 0 : (x[c] - range.min) * factors.inverse;
    // Rounds half to even.
    q[c / kQuad * kPixelQuad + c % kQuad] = static_cast<uint8_t>(range.zero_point + std::lrint(steps));
  }
  return factors.scale;
}

}  // namespace

void quantize_pixels(const QuantizePixelsOperands& in) {
  uint8_t* q = in.q;
  float* scales = in.scales;
  for (size_t first = in.begin; first < in.end; first += kInterleavedWindows) {
    for (size_t r = 0; r < kInterleavedWindows; ++r) {
      const float* const pixel = in.input + in.view.offset(std::min(first + r, in.end - 1));
      *scales++ = quantize_pixel(pixel, in.view.run, in.range, q + r * kQuad);
    }
    q += in.view.run * kInterleavedWindows;
  }
}

void pointwise_i8(const PointwiseI8Operands& in, const FloatEpilogue& epilogue, const ConvTile& tile) {
  const size_t quads = in.w.quads, n_end = std::min(tile.panel_end * kPanelRows, in.grid.channels);
  for (size_t i = 0; i < tile.end - tile.begin; ++i) {
    const uint8_t* const pixel = in.q + i / kInterleavedWindows * quads * kPixelQuad + i % kInterleavedWindows * kQuad;
    for (size_t n = tile.panel_begin * kPanelRows; n < n_end; ++n) {
      const int8_t* const panel = in.w.panel(n / kPanelRows);
      const size_t row = n % kPanelRows;
      int32_t exact;
      std::memcpy(&exact, panel + quads * kPanelQuad + row * sizeof exact, sizeof exact);
      exact *= -in.zero_point;
      for (size_t k = 0; k < quads * kQuad; ++k) {
        exact += pixel[k / kQuad * kPixelQuad + k % kQuad] * panel[k / kQuad * kPanelQuad + row * kQuad + k % kQuad];
      }
      const size_t at = in.grid.offset(tile.begin + i) + n;
      const float sum = in.scales[i] * (in.w.scales[n] * static_cast<float>(exact));
      in.output[at] = finish(sum, epilogue, at, n);
    }
  }
}

}  // namespace quintet::scalar
