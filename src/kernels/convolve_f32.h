#pragma once
// The direct float convolution.

#include "kernels/convolution.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

struct ConvolveF32Operands {
  const float* input;  // the start of the first window
  const Im2colView& view;
  const PackedMatrix& w;  // [channels out][view.rows * view.run] in f32 panels
  float* output;
  const OutputGrid& grid;
};

// output = epilogue(window . w^T)
using ConvolveF32 = void(const ConvolveF32Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile);

}  // namespace quintet
