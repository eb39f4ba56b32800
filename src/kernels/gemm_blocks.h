#pragma once
// Products of weights and activations that are both quantized in blocks.

#include "kernels/gemm.h"
#include "tensor/packed/block_matrix.h"

namespace quintet {

struct GemmBlocksOperands {
  const std::byte* q;  // made by quantize_blocks of the same variant
  const BlockMatrix& w;
  Rows c;  // [m][n]
};

// c[m][n] = epilogue(sum over blocks b, in order, of dot_b(q[m], w[n]) * (w.scale[n][b] * scale[m][b]) +
//                    w.offset[n][b] * (sum_b(q[m]) * scale[m][b])). Dots and sums are exact integers, and the float
// steps are not fused: results are the same bits in every variant, for one row as for many.
//
// With super-blocks, the scales and offsets of w are integers, and so are their sums over the blocks of a super-block,
// which must be a group of the activations:
//
//   sum over super-blocks s, in order, of (unit[n][s] * scale[m][s]) * sum over b of w.scale[n][b] * dot_b(q[m], w[n])
//                          - (offset unit[n][s] * scale[m][s]) * sum over b of w.offset[n][b] * sum_b(q[m])
using GemmBlocks = void(const GemmBlocksOperands& operands, const Epilogue& epilogue, const GemmTile& tile);

}  // namespace quintet
