#pragma once
// Products of 8-bit weights with activations quantized row by row.

#include <cstdint>

#include "kernels/gemm.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

struct GemmI8Operands {
  const uint8_t* q;     // made by quantize_rows of the same variant
  const float* scales;  // likewise
  size_t rows;
  const PackedMatrix& w;
  Rows c;  // [rows][n]
};

// c[m][n] = epilogue(scale[m] * sum over groups g of w.scale[n][g] * (dot_g(q[m], w[n]) - zero_term[n][g])). The dots
// are exact 32-bit integers; the float steps are the same in every variant, so results are equal bit for bit (except
// for the activation, whose polynomial may be fused).
using GemmI8 = void(const GemmI8Operands& operands, const Epilogue& epilogue, PanelRange panels);

}  // namespace quintet
