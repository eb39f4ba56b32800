#pragma once
// The convolution of a dynamically quantized layer: windows and weights are quantized in groups.

#include "kernels/convolution.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {

struct ConvolveGroupQuantizedOperands {
  const int16_t* q;     // windows from tile.begin on, quantized by quantize_im2col
  const float* scales;  // likewise
  const PairedMatrix& w;
  const int16_t* panels;  // of w from tile.panel_begin on, widened (kernels/convolve_i16.h)
  float* output;
  const OutputGrid& grid;
};

// output = epilogue(sum over groups, in order, of (float(dot) * scale of the window's group) * scale of the weights'
// group)
using ConvolveGroupQuantized = void(const ConvolveGroupQuantizedOperands& operands, const FloatEpilogue& epilogue,
                                    const ConvTile& tile);

}  // namespace quintet
