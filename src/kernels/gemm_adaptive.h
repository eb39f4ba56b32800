#pragma once
// Products of weights whose blocks differ in precision.

#include "kernels/gemm.h"
#include "tensor/packed/adaptive_matrix.h"

namespace quintet {

// c [m][n] = epilogue(x [m][k] . w^T). Blocks in FP16 are multiplied with the float
// activations `x`, all others with `q`, from quantize_blocks of the same variant with the block size of w. Blocks are
// added in the order of their storage, code by code; the number of partial sums depends on the variant.
using GemmAdaptive = void(const float* x, size_t x_stride, const std::byte* q, const AdaptiveMatrix& w, float* c,
                          size_t c_stride, const Epilogue& epilogue, const GemmTile& tile);

}  // namespace quintet
