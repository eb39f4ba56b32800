#pragma once
// Every kernel of every variant by name. Each folder has a file for each operation, rows.cc for those that process rows
// of activations (norms, rotation), and float_kernels.cc for those that only differ in their arithmetic. relaxed/
// contains only the kernels that benefit from relaxed SIMD and uses the others from simd128.

#include "kernels/kernels.h"

namespace quintet {

#define QUINTET_DECLARE(kernel, type, sets, source) type kernel;

namespace scalar {
QUINTET_KERNELS(QUINTET_DECLARE)
}  // namespace scalar

namespace simd128 {
QUINTET_KERNELS(QUINTET_DECLARE)
}  // namespace simd128

#undef QUINTET_DECLARE

namespace relaxed {
#define QUINTET_TAKE_relaxed(kernel, type) type kernel;
#define QUINTET_TAKE_simd128(kernel, type) using simd128::kernel;
#define QUINTET_DECLARE(kernel, type, sets, source) QUINTET_TAKE_##source(kernel, type)
QUINTET_KERNELS(QUINTET_DECLARE)
#undef QUINTET_DECLARE
#undef QUINTET_TAKE_simd128
#undef QUINTET_TAKE_relaxed

// The two forms of gemm_i8, pointwise_i8 and gemm_blocks, which select the faster one on this processor. With 8-bit
// weights, the fused one of gemm_blocks is only right if that is selected (RelaxedDot).
GemmI8 gemm_i8_fused, gemm_i8_paired;
PointwiseI8 pointwise_i8_fused, pointwise_i8_paired;
GemmBlocks gemm_blocks_fused, gemm_blocks_paired;
}  // namespace relaxed

}  // namespace quintet
