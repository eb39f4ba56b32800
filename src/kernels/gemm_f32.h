#pragma once
// Products with float weights.

#include "kernels/gemm.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

// c [m][n] = epilogue(a [m][k] . w^T). Weights in f16 and bf16 are widened as they are loaded.
using GemmF32 = void(const float* a, size_t a_stride, const PackedMatrix& w, float* c, size_t c_stride,
                     const Epilogue& epilogue, const GemmTile& tile);

// The same on bare f32 panels ([ceil(n / 8)][k][8]), for operands made at run time (attention).
using GemmPanelsF32 = void(const float* a, size_t a_stride, size_t m, const float* panels, size_t n, size_t k, float* c,
                           size_t c_stride, const Epilogue& epilogue);

}  // namespace quintet
