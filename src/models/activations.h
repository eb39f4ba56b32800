#pragma once
// Rows of activations that are multiplied with the matrices of linear layers.

#include <cstddef>

#include "kernels/rows.h"

namespace quintet {

// Rows [begin, end), with as many columns as the matrices.
struct Activations {
  size_t count() const { return end - begin; }
  Activations from(size_t row) const { return {rows, row, end}; }

  ConstRows rows = {};
  size_t begin = 0;
  size_t end = 0;
};

}  // namespace quintet
