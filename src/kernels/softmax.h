#pragma once

#include "kernels/rows.h"

namespace quintet {

struct SoftmaxOperands {
  Rows x;  // [rows][cols]
  size_t rows, cols;
};

// Softmax in place, row by row: x = exp(x - max) / sum.
using SoftmaxRows = void(const SoftmaxOperands& operands);

}  // namespace quintet
