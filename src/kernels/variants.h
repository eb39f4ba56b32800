#pragma once
// Every kernel of every variant by name. A folder holds one file per operation; relaxed SIMD has
// only those that gain by it and takes the others from simd128.

#include <type_traits>

#include "kernels/kernels.h"

namespace quintet {

template <class Pointer>
using FunctionOf = std::remove_pointer_t<Pointer>;

using Float = FloatConvolutionKernels;
using Static = StaticConvolutionKernels;
using Grouped = GroupedConvolutionKernels;

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
FunctionOf<decltype(Float::convolve)> convolve_f32;
FunctionOf<decltype(Float::winograd_input)> winograd_input_f32;
FunctionOf<decltype(Float::winograd_weights)> winograd_weights_f32;
FunctionOf<decltype(Float::winograd_multiply)> winograd_multiply_f32;
FunctionOf<decltype(Float::max_pool)> max_pool_f32;
FunctionOf<decltype(Static::quantize)> quantize_static;
FunctionOf<decltype(Static::convolve)> convolve_i16;
FunctionOf<decltype(Static::winograd_input)> winograd_input_i16;
FunctionOf<decltype(Static::winograd_weights)> winograd_weights_i16;
FunctionOf<decltype(Static::winograd_multiply)> winograd_multiply_i16;
FunctionOf<decltype(Static::max_pool)> max_pool_i16;
FunctionOf<decltype(Grouped::quantize_windows)> quantize_windows;
FunctionOf<decltype(Grouped::multiply)> multiply_groups;
FunctionOf<WidenPanels> widen_panels;
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
FunctionOf<decltype(Float::convolve)> convolve_f32;
FunctionOf<decltype(Float::winograd_input)> winograd_input_f32;
FunctionOf<decltype(Float::winograd_weights)> winograd_weights_f32;
FunctionOf<decltype(Float::winograd_multiply)> winograd_multiply_f32;
FunctionOf<decltype(Float::max_pool)> max_pool_f32;
FunctionOf<decltype(Static::quantize)> quantize_static;
FunctionOf<decltype(Static::convolve)> convolve_i16;
FunctionOf<decltype(Static::winograd_input)> winograd_input_i16;
FunctionOf<decltype(Static::winograd_weights)> winograd_weights_i16;
FunctionOf<decltype(Static::winograd_multiply)> winograd_multiply_i16;
FunctionOf<decltype(Static::max_pool)> max_pool_i16;
FunctionOf<decltype(Grouped::quantize_windows)> quantize_windows;
FunctionOf<decltype(Grouped::multiply)> multiply_groups;
FunctionOf<WidenPanels> widen_panels;
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
FunctionOf<decltype(Float::convolve)> convolve_f32;
FunctionOf<decltype(Float::winograd_multiply)> winograd_multiply_f32;
}  // namespace relaxed

}  // namespace quintet
