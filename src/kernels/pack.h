#pragma once
// Packs a matrix computed at run time into f32 panels for gemm_panels_f32.

#include "kernels/rows.h"

namespace quintet {

struct PackOperands {
  ConstRows x;  // [rows][cols]
  size_t rows, cols;
  float* panels;
};

// Makes panels over the rows of x ([ceil(rows / 8)][cols][8]): K^T from K.
using PackRows = void(const PackOperands& operands);

// Makes panels over the columns of x ([ceil(cols / 8)][rows][8]): those of V.
using PackColumns = void(const PackOperands& operands);

}  // namespace quintet
