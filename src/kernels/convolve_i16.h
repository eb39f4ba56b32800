#pragma once
// The direct convolution of a statically quantized layer.

#include "kernels/convolution.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {

// Widens int8 weights to the 16 bits that are multiplied: out [panels][segments][pairs][kPanelRows][2] = w - zero point
// for panels [begin, end); zero where w has no value.
using WidenPanels = void(const PairedMatrix& w, size_t begin, size_t end, int16_t* out);

// As ConvolveF32. Sums are 32-bit integers, modulo 2^32, exact in every variant. `panels`: the widened panels of w from
// tile.panel_begin on.
using ConvolveI16 = void(const int16_t* input, const Im2colView& view, const PairedMatrix& w, const int16_t* panels,
                         int16_t* output, const OutputGrid& grid, const StaticEpilogue& epilogue, const ConvTile& tile);

}  // namespace quintet
