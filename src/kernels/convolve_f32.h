#pragma once
// The direct float convolution.

#include "kernels/convolution.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

// Weights [rows][cols] in f32 panels, [ceil(rows / 8)][cols][8]: those of a matrix, or packed at run time
// (kernels/pack.h).
struct FloatPanels {
  FloatPanels(const PackedMatrix& matrix) : FloatPanels(matrix.panel_f32(0), matrix.rows(), matrix.cols()) {}
  FloatPanels(const float* panels, size_t row_count, size_t columns) : data(panels), rows(row_count), cols(columns) {}

  const float* panel(size_t p) const { return data + p * cols * kPanelRows; }

  const float* data;
  size_t rows, cols;
};

struct ConvolveF32Operands {
  const float* input;  // the start of the first window
  const Im2colView& view;
  FloatPanels w;  // [channels out][view.rows * view.run]
  float* output;
  const OutputGrid& grid;
};

// output = epilogue(window . w^T)
using ConvolveF32 = void(const ConvolveF32Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile);

}  // namespace quintet
