#pragma once
// Products of weights whose blocks differ in precision.

#include "kernels/gemm.h"
#include "tensor/packed/adaptive_matrix.h"

namespace quintet {

struct GemmAdaptiveOperands {
  ConstRows x;         // [m][k]
  const std::byte* q;  // x, quantized by quantize_blocks of the same variant with the block size of w
  const AdaptiveMatrix& w;
  Rows c;  // [m][n]
};

// c = epilogue(x . w^T). Blocks in FP16 are multiplied with x, all others with q. Blocks are added in the order of
// their storage, code by code; the number of partial sums depends on the variant.
using GemmAdaptive = void(const GemmAdaptiveOperands& operands, const Epilogue& epilogue, const GemmTile& tile);

}  // namespace quintet
