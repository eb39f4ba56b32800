#pragma once
// The kernels whose variants differ in nothing but their arithmetic. A file of each variant includes this, with the
// variant's namespace as QUINTET_VARIANT.

#include "kernels/generic/activate.h"
#include "kernels/generic/attention_value.h"
#include "kernels/generic/convolve_f32.h"
#include "kernels/generic/depthwise_f32.h"
#include "kernels/generic/gemm_f32.h"
#include "kernels/generic/mlp_activation.h"
#include "kernels/generic/qk_scores.h"
#include "kernels/generic/softmax.h"
#include "kernels/generic/winograd_f32.h"
#include "kernels/variants.h"

namespace quintet::QUINTET_VARIANT {

void gemm_f32(const GemmF32Operands& operands, const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_f32<Arithmetic>(operands, epilogue, tile);
}

void gemm_panels_f32(const GemmPanelsF32Operands& operands, const Epilogue& epilogue) {
  generic::gemm_panels_f32<Arithmetic>(operands, epilogue);
}

void convolve_f32(const ConvolveF32Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile) {
  generic::convolve_f32<Arithmetic>(operands, epilogue, tile);
}

void winograd_multiply_f32(const WinogradOperands<float>& operands, const FloatEpilogue& epilogue,
                           const ConvTile& tile) {
  generic::winograd_multiply_f32<Arithmetic>(operands, epilogue, tile);
}

void depthwise_f32(const DepthwiseF32Operands& operands, const FloatEpilogue& epilogue, size_t begin, size_t end) {
  generic::depthwise_f32<Arithmetic>(operands, epilogue, begin, end);
}

void activate(Activation activation, float* x, size_t count) { generic::activate<Arithmetic>(activation, x, count); }

void softmax_rows(const SoftmaxOperands& operands) { generic::softmax_rows<Arithmetic>(operands); }

void mlp_activation(const MlpActivationOperands& operands) { generic::mlp_activation<Arithmetic>(operands); }

void qk_scores(const ScoreOperands& operands) { generic::qk_scores<Arithmetic>(operands); }

void attention_value(const ValueOperands& operands) { generic::attention_value<Arithmetic>(operands); }

}  // namespace quintet::QUINTET_VARIANT
