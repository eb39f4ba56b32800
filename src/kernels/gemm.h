#pragma once
// Common parts of all matrix products: the epilogue and the division of work.

#include <cstddef>

#include "kernels/rows.h"
#include "tensor/activation.h"

namespace quintet {

// Applied to a sum before it is stored: c = activation(sum * alpha + bias) + residual.
struct Epilogue {
  float alpha = 1;
  const float* bias = nullptr;               // [n]
  Activation activation = Activation::none;  // or gelu_erf
  ConstRows residual = {};                   // [m][n]; without data: none. May be c itself
};

// The part of a result that one call computes: rows [row_begin, row_end), panels [panel_begin, panel_end) of the
// weights. A tile is the unit of work of a thread.
struct GemmTile {
  size_t row_begin, row_end;
  size_t panel_begin, panel_end;
};

// Panels [begin, end) of the weights, for all rows.
struct PanelRange {
  size_t begin, end;
};

}  // namespace quintet
