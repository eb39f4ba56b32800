#pragma once
// Products with float weights.

#include "kernels/gemm.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

struct GemmF32Operands {
  ConstRows a;            // [m][k]
  const PackedMatrix& w;  // [n][k]
  Rows c;                 // [m][n]
};

// c = epilogue(a . w^T). Weights in f16 and bf16 are widened as they are loaded.
using GemmF32 = void(const GemmF32Operands& operands, const Epilogue& epilogue, const GemmTile& tile);

// Matrices that are computed at run time (attention): w are bare f32 panels, [ceil(n / 8)][k][8].
struct GemmPanelsF32Operands {
  ConstRows a;
  const float* panels;
  size_t m, n, k;
  Rows c;
};

// c = epilogue(a . w^T)
using GemmPanelsF32 = void(const GemmPanelsF32Operands& operands, const Epilogue& epilogue);

}  // namespace quintet
