#pragma once
// Normalization of activations, row by row; y may be x.

#include "kernels/rows.h"

namespace quintet {

struct NormOperands {
  ConstRows x;  // [rows][cols]
  size_t rows, cols;
  const float* gamma;           // [cols]
  const float* beta = nullptr;  // likewise; RMSNorm has none
  float epsilon;
  Rows y;  // [rows][cols]
};

using NormRows = void(const NormOperands& operands);

// Layer normalization (Ba et al. 2016, arXiv:1607.06450): y = (x - mean) / sqrt(variance + epsilon) * gamma + beta.
using LayerNormRows = NormRows;

// RMSNorm (Zhang and Sennrich 2019, arXiv:1910.07467): y = x / sqrt(mean(x^2) + epsilon) * gamma.
using RmsNormRows = NormRows;

}  // namespace quintet
