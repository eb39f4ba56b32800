#pragma once
// The direct float convolution.

#include "kernels/convolution.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

// output = epilogue(window . w^T), w [channels out][view.rows * view.run] in f32 panels. `input`: the start of the
// first window.
using ConvolveF32 = void(const float* input, const Im2colView& view, const PackedMatrix& w, float* output,
                         const OutputGrid& grid, const FloatEpilogue& epilogue, const ConvTile& tile);

}  // namespace quintet
