#pragma once
// All kernels, one per row. The table of function pointers (kernels.h), the declarations of the variants (variants.h),
// the tables and sets of the registry, and the checks of the self-test follow from these rows. A kernel without a check
// does not link, and one whose check detects nothing fails tests/kernels/registry_test.cc.
//
// To add a kernel: a row here, a header with its contract, included by kernels.h, an implementation in scalar/ and
// simd128/ (and relaxed/), and a check in self_test/.

#include <cstdint>

namespace quintet {

// The kernels that a program uses. The table of a set contains no others, so that the linker omits them from downloads.
// network: image networks of every kind; graph: those that are graphs, and the text networks that accompany them, with
// floats only; calibration: ResNets with floats only.
enum class KernelSet : uint8_t { encoder = 1, decoder = 2, network = 4, calibration = 8, graph = 16, all = 31 };

constexpr KernelSet operator|(KernelSet a, KernelSet b) {
  return static_cast<KernelSet>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}

constexpr bool intersect(KernelSet a, KernelSet b) { return (static_cast<uint8_t>(a) & static_cast<uint8_t>(b)) != 0; }

// The sets that a row may name.
namespace kernel_sets {
using enum KernelSet;
constexpr KernelSet transformers = encoder | decoder;
constexpr KernelSet graphs = network | graph;
constexpr KernelSet networks = graphs | calibration;
// Image networks have transformers too, which see all of their tokens at once, as encoders do.
constexpr KernelSet any_transformer = transformers | graphs;
constexpr KernelSet whole_sequences = encoder | graphs;
constexpr KernelSet int8_layers = encoder | graph;
}  // namespace kernel_sets

}  // namespace quintet

// SET(name)
#define QUINTET_KERNEL_SETS(SET) SET(all) SET(encoder) SET(decoder) SET(network) SET(calibration) SET(graph)

// KERNEL(name, type, sets, source)
//   type    of the function, from the header of the operation
//   sets    that contain the kernel
//   source  of the relaxed variant: relaxed if the kernel has its own, otherwise simd128
// The self-test checks them in this order: everything that a check needs other than its own kernel must be above it.
#define QUINTET_KERNELS(KERNEL)                                         \
  KERNEL(gemm_f32, GemmF32, transformers, relaxed)                      \
  KERNEL(softmax_rows, SoftmaxRows, any_transformer, relaxed)           \
  KERNEL(layer_norm_rows, LayerNormRows, any_transformer, simd128)      \
  KERNEL(gemm_panels_f32, GemmPanelsF32, encoder, relaxed)              \
  KERNEL(quantize_rows, QuantizeRows, int8_layers, relaxed)             \
  KERNEL(gemm_i8, GemmI8, int8_layers, relaxed)                         \
  KERNEL(pack_rows, PackRows, whole_sequences, simd128)                 \
  KERNEL(pack_columns, PackColumns, whole_sequences, simd128)           \
  KERNEL(quantize_blocks, QuantizeBlocks, decoder, relaxed)             \
  KERNEL(gemm_blocks, GemmBlocks, decoder, relaxed)                     \
  KERNEL(gemm_adaptive, GemmAdaptive, decoder, relaxed)                 \
  KERNEL(rms_norm_rows, RmsNormRows, transformers, simd128)             \
  KERNEL(rotate_heads, RotateHeads, any_transformer, simd128)           \
  KERNEL(mlp_activation, MlpActivation, transformers, relaxed)          \
  KERNEL(soft_cap, SoftCap, decoder, simd128)                           \
  KERNEL(qk_scores, QkScores, decoder, relaxed)                         \
  KERNEL(attention_value, AttentionValue, decoder, relaxed)             \
  KERNEL(convolve_f32, ConvolveF32, networks, relaxed)                  \
  KERNEL(winograd_input_f32, WinogradInputF32, networks, simd128)       \
  KERNEL(winograd_weights_f32, WinogradWeightsF32, networks, simd128)   \
  KERNEL(winograd_multiply_f32, WinogradMultiplyF32, networks, relaxed) \
  KERNEL(max_pool_f32, MaxPoolF32, networks, simd128)                   \
  KERNEL(depthwise_f32, DepthwiseF32, graphs, relaxed)                  \
  KERNEL(activate, Activate, graphs, relaxed)                           \
  KERNEL(sum_channels, SumChannels, graphs, simd128)                    \
  KERNEL(scale_channels, ScaleChannels, graphs, simd128)                \
  KERNEL(quantize_static, QuantizeStatic, network, simd128)             \
  KERNEL(widen_panels, WidenPanels, network, simd128)                   \
  KERNEL(convolve_i16, ConvolveI16, network, simd128)                   \
  KERNEL(interleave_windows, InterleaveWindows, network, relaxed)       \
  KERNEL(interleave_panels, InterleavePanels, network, relaxed)         \
  KERNEL(convolve_i8, ConvolveI8, network, relaxed)                     \
  KERNEL(quantize_pixels, QuantizePixels, network, simd128)             \
  KERNEL(pointwise_i8, PointwiseI8, network, relaxed)                   \
  KERNEL(winograd_input_i16, WinogradInputI16, network, simd128)        \
  KERNEL(winograd_weights_i16, WinogradWeightsI16, network, simd128)    \
  KERNEL(winograd_multiply_i16, WinogradMultiplyI16, network, simd128)  \
  KERNEL(max_pool_i16, MaxPoolI16, network, simd128)                    \
  KERNEL(quantize_im2col, QuantizeIm2col, network, simd128)             \
  KERNEL(convolve_group_quantized, ConvolveGroupQuantized, network, simd128)
