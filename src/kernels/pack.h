#pragma once
// Packs a matrix x [rows][cols] computed at run time into f32 panels for gemm_panels_f32.

#include <cstddef>

namespace quintet {

// Into panels over its rows ([ceil(rows / 8)][cols][8]): K^T from K.
using PackRows = void(const float* x, size_t x_stride, size_t rows, size_t cols, float* panels);

// Into panels over its columns ([ceil(cols / 8)][rows][8]): the panels of V.
using PackColumns = void(const float* x, size_t x_stride, size_t rows, size_t cols, float* panels);

}  // namespace quintet
