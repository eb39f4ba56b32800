#pragma once
// Operations on the channels of pixels: rows of a map, whose columns are its channels.

#include <cstddef>

#include "kernels/rows.h"

namespace quintet {

struct SumChannelsOperands {
  ConstRows x;  // [rows][cols]
  size_t rows, cols;
  bool squares;  // sums x * x instead
  float* sums;   // [cols]
};

// sums += x, row by row, so that the order does not depend on the variant.
using SumChannels = void(const SumChannelsOperands& operands);

struct ScaleChannelsOperands {
  Rows x;  // [rows][cols]
  size_t rows, cols;
  const float* factors;  // [cols]
  const float* bias;     // likewise, or null
};

// x = x * factors + bias, in place. Multiplication and addition are not fused.
using ScaleChannels = void(const ScaleChannelsOperands& operands);

}  // namespace quintet
