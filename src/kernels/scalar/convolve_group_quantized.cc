#include <algorithm>

#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// The sum is modulo 2^32, like those of vector instructions. Pair i of the weights is at i * kPanelRows * 2.
int32_t dot(const int16_t* q, const int16_t* weights, size_t pairs) {
  uint32_t sum = 0;
  for (size_t i = 0; i < pairs; ++i) {
    for (size_t j = 0; j < 2; ++j) {
      sum += static_cast<uint32_t>(int32_t{q[i * 2 + j]} * weights[i * kPanelRows * 2 + j]);
    }
  }
  return static_cast<int32_t>(sum);
}

// Multiplies one window by one output, whose weights and scales start at `weights` and `weight_scales`.
float sum_of_groups(const int16_t* q, const float* scales, const PairedMatrix& w, const int16_t* weights,
                    const float* weight_scales) {
  float sum = 0;
  for (size_t g = 0; g < w.segments(); ++g) {
    const size_t first = g * w.pairs() * 2;
    const auto exact = static_cast<float>(dot(q + first, weights + first * kPanelRows, w.pairs()));
    sum += exact * scales[g] * weight_scales[g * kPanelRows];
  }
  return sum;
}

}  // namespace

void convolve_group_quantized(const ConvolveGroupQuantizedOperands& in, const FloatEpilogue& epilogue,
                              const ConvTile& tile) {
  const PairedMatrix& w = in.w;
  const int16_t* q = in.q;
  const float* scales = in.scales;
  const size_t window_values = w.segments() * w.pairs() * 2;
  const size_t channel_end = std::min(tile.panel_end * kPanelRows, w.rows());
  for (size_t i = tile.begin; i < tile.end; ++i, q += window_values, scales += w.segments()) {
    for (size_t channel = tile.panel_begin * kPanelRows; channel < channel_end; ++channel) {
      const size_t panel = channel / kPanelRows;
      const size_t lane = channel % kPanelRows;
      const int16_t* const weights = in.panels + (panel - tile.panel_begin) * w.panel_values() + lane * 2;
      const float sum = sum_of_groups(q, scales, w, weights, w.scales(panel) + lane);
      const size_t at = in.grid.offset(i) + channel;
      in.output[at] = finish(sum, epilogue, at, channel);
    }
  }
}

}  // namespace quintet::scalar
