#pragma once
// The convolution of single pixels as products of bytes: weights with a scale for each output, activations that are
// quantized pixel by pixel. Pixels are interleaved as the windows of convolve_i8 are.

#include <cstddef>
#include <cstdint>

#include "kernels/convolution.h"
#include "kernels/convolve_i8.h"

namespace quintet {

// The range of an activation's 7 bits: values of either sign around 64, or twice the number of steps above the minimum
// of all values.
struct PixelRange {
  static constexpr PixelRange from(float min) { return {min, 1}; }

  // Above the zero point.
  float steps() const { return static_cast<float>(127 - zero_point); }

  float min = 0;
  int32_t zero_point = 64;
};

struct QuantizePixelsOperands {
  const float* input;      // the first pixel
  const Im2colView& view;  // with one row: the channels of a pixel, in whole quads
  PixelRange range;
  size_t begin, end;
  uint8_t* q;
  float* scales;  // of kInterleavedWindows pixels for each group
};

// Pixels [begin, end): q = round_half_even((x - min) / scale) + zero point with scale = max|x - min| / steps, in
// groups [quads][kInterleavedWindows][kQuad]; the last pixel is repeated to fill its group. A pixel with
// nothing but the minimum has scale 0, one that is not finite NaN.
using QuantizePixels = void(const QuantizePixelsOperands& operands);

// Weights [outputs][channels] in panels [quads][kPanelRows][kQuad], each followed by the sum of the weights of each row
// in int32.
struct PointwiseWeights {
  size_t panel_bytes() const { return (quads + 1) * kPanelRows * kQuad; }
  const int8_t* panel(size_t p) const { return panels + p * panel_bytes(); }

  const int8_t* panels;
  const float* scales;  // of all rows of all panels
  size_t quads;
};

struct PointwiseI8Operands {
  const uint8_t* q;  // the pixels of the tile
  const float* scales;
  int32_t zero_point;
  PointwiseWeights w;
  float* output;
  const OutputGrid& grid;
};

// output = epilogue(scale of the pixel * (scale of the output * (sum of q * w - zero point * sum of w))). Sums are
// exact and float steps are not fused: the bits are the same in every variant.
using PointwiseI8 = void(const PointwiseI8Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile);

}  // namespace quintet
