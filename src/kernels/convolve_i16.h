#pragma once
// The direct convolution of a statically quantized layer.

#include "kernels/convolution.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {

// Widens int8 weights to the 16 bits that are multiplied: out [panels][segments][pairs][kPanelRows][2] = w - zero
// point for panels [begin, end); zero where w has no value.
using WidenPanels = void(const PairedMatrix& w, size_t begin, size_t end, int16_t* out);

struct ConvolveI16Operands {
  const int16_t* input;  // the start of the first window
  const Im2colView& view;
  const PairedMatrix& w;
  const int16_t* panels;  // of w from tile.panel_begin on, widened
  int16_t* output;
  const OutputGrid& grid;
};

// output = epilogue(window . w^T). Sums are 32-bit integers, modulo 2^32, exact in every variant.
using ConvolveI16 = void(const ConvolveI16Operands& operands, const StaticEpilogue& epilogue, const ConvTile& tile);

}  // namespace quintet
