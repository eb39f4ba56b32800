#pragma once
// Depthwise convolution (Howard et al. 2017, arXiv:1704.04861): every channel is convolved with its own window.

#include "kernels/convolution.h"

namespace quintet {

struct DepthwiseF32Operands {
  const float* input;   // the start of the first window
  size_t row_stride;    // between rows of the input
  size_t kernel;        // rows and columns of the window
  size_t stride;        // pixels between windows
  const float* weight;  // [kernel][kernel][channels]
  float* output;
  const OutputGrid& grid;
};

// output = epilogue(window * weight, summed over the window) for rows [begin, end) of the outputs. The window is summed
// row by row. The epilogue must have a bias.
using DepthwiseF32 = void(const DepthwiseF32Operands& operands, const FloatEpilogue& epilogue, size_t begin,
                          size_t end);

}  // namespace quintet
