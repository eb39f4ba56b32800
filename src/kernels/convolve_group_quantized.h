#pragma once
// The convolution of a dynamically quantized layer: windows and weights are quantized in groups.

#include "kernels/convolution.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {

// output = epilogue(sum over groups, in order, of (float(dot) * scale of the window's group) * scale of the weights'
// group), for windows from tile.begin on, quantized by quantize_im2col. `panels`: the widened panels of w from
// tile.panel_begin on (kernels/convolve_i16.h).
using ConvolveGroupQuantized = void(const int16_t* q, const float* scales, const PairedMatrix& w, const int16_t* panels,
                                    float* output, const OutputGrid& grid, const FloatEpilogue& epilogue,
                                    const ConvTile& tile);

}  // namespace quintet
