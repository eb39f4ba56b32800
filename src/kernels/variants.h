#pragma once
// Every kernel of every variant by name. A folder holds one file per operation; relaxed SIMD has
// only those that gain by it and takes the others from simd128.

#include <type_traits>

#include "kernels/kernels.h"

namespace quintet {

template <class Pointer>
using FunctionOf = std::remove_pointer_t<Pointer>;

namespace scalar {
FunctionOf<GemmF32> gemm_f32;
FunctionOf<GemmPanelsF32> gemm_panels_f32;
FunctionOf<QuantizeRows> quantize_rows;
FunctionOf<GemmI8> gemm_i8;
FunctionOf<SoftmaxRows> softmax_rows;
FunctionOf<LayerNormRows> layer_norm_rows;
FunctionOf<PackRows> pack_rows;
FunctionOf<PackColumns> pack_columns;
FunctionOf<QuantizeBlocks> quantize_blocks;
FunctionOf<GemmBlocks> gemm_blocks;
FunctionOf<GemmAdaptive> gemm_adaptive;
FunctionOf<RmsNormRows> rms_norm_rows;
FunctionOf<RotateHeads> rotate_heads;
FunctionOf<GateElements> gate_elements;
FunctionOf<KvScores> kv_scores;
FunctionOf<KvMix> kv_mix;
}  // namespace scalar

namespace simd128 {
FunctionOf<GemmF32> gemm_f32;
FunctionOf<GemmPanelsF32> gemm_panels_f32;
FunctionOf<QuantizeRows> quantize_rows;
FunctionOf<GemmI8> gemm_i8;
FunctionOf<SoftmaxRows> softmax_rows;
FunctionOf<LayerNormRows> layer_norm_rows;
FunctionOf<PackRows> pack_rows;
FunctionOf<PackColumns> pack_columns;
FunctionOf<QuantizeBlocks> quantize_blocks;
FunctionOf<GemmBlocks> gemm_blocks;
FunctionOf<GemmAdaptive> gemm_adaptive;
FunctionOf<RmsNormRows> rms_norm_rows;
FunctionOf<RotateHeads> rotate_heads;
FunctionOf<GateElements> gate_elements;
FunctionOf<KvScores> kv_scores;
FunctionOf<KvMix> kv_mix;
}  // namespace simd128

namespace relaxed {
FunctionOf<GemmF32> gemm_f32;
FunctionOf<GemmPanelsF32> gemm_panels_f32;
FunctionOf<QuantizeRows> quantize_rows;
FunctionOf<GemmI8> gemm_i8;  // one of the next two, whichever is faster on this processor
FunctionOf<GemmI8> gemm_i8_fused;
FunctionOf<GemmI8> gemm_i8_paired;
FunctionOf<SoftmaxRows> softmax_rows;
FunctionOf<QuantizeBlocks> quantize_blocks;
FunctionOf<GemmBlocks> gemm_blocks;  // one of the next two, likewise
FunctionOf<GemmBlocks> gemm_blocks_fused;
FunctionOf<GemmBlocks> gemm_blocks_paired;
FunctionOf<GemmAdaptive> gemm_adaptive;
FunctionOf<GateElements> gate_elements;
FunctionOf<KvScores> kv_scores;
FunctionOf<KvMix> kv_mix;
}  // namespace relaxed

}  // namespace quintet
