#pragma once

#include <cstddef>

namespace quintet {

// Softmax in place, row by row: x = exp(x - max) / sum.
using SoftmaxRows = void(float* x, size_t x_stride, size_t rows, size_t cols);

}  // namespace quintet
