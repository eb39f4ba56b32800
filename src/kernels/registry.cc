#include "kernels/registry.h"

#include <array>

#include "kernels/variants.h"

namespace quintet {
namespace {

constexpr Kernels kScalar = {
    .name = "scalar",
    .gemm_f32 = scalar::gemm_f32,
    .gemm_panels_f32 = scalar::gemm_panels_f32,
    .quantize_rows = scalar::quantize_rows,
    .gemm_i8 = scalar::gemm_i8,
    .softmax_rows = scalar::softmax_rows,
    .layer_norm_rows = scalar::layer_norm_rows,
    .pack_rows = scalar::pack_rows,
    .pack_columns = scalar::pack_columns,
    .quantize_blocks = scalar::quantize_blocks,
    .gemm_blocks = scalar::gemm_blocks,
    .gemm_adaptive = scalar::gemm_adaptive,
    .rms_norm_rows = scalar::rms_norm_rows,
    .rotate_heads = scalar::rotate_heads,
    .gate_elements = scalar::gate_elements,
    .kv_scores = scalar::kv_scores,
    .kv_mix = scalar::kv_mix,
    .float_convolution = {.convolve = scalar::convolve_f32,
                          .winograd_input = scalar::winograd_input_f32,
                          .winograd_weights = scalar::winograd_weights_f32,
                          .winograd_multiply = scalar::winograd_multiply_f32,
                          .max_pool = scalar::max_pool_f32},
    .static_convolution = {.quantize = scalar::quantize_static,
                           .convolve = scalar::convolve_i16,
                           .winograd_input = scalar::winograd_input_i16,
                           .winograd_weights = scalar::winograd_weights_i16,
                           .winograd_multiply = scalar::winograd_multiply_i16,
                           .max_pool = scalar::max_pool_i16},
    .grouped_convolution = {.quantize_windows = scalar::quantize_windows, .multiply = scalar::multiply_groups},
    .widen_panels = scalar::widen_panels,
};

constexpr Kernels kSimd128 = {
    .name = "simd128",
    .gemm_f32 = simd128::gemm_f32,
    .gemm_panels_f32 = simd128::gemm_panels_f32,
    .quantize_rows = simd128::quantize_rows,
    .gemm_i8 = simd128::gemm_i8,
    .softmax_rows = simd128::softmax_rows,
    .layer_norm_rows = simd128::layer_norm_rows,
    .pack_rows = simd128::pack_rows,
    .pack_columns = simd128::pack_columns,
    .quantize_blocks = simd128::quantize_blocks,
    .gemm_blocks = simd128::gemm_blocks,
    .gemm_adaptive = simd128::gemm_adaptive,
    .rms_norm_rows = simd128::rms_norm_rows,
    .rotate_heads = simd128::rotate_heads,
    .gate_elements = simd128::gate_elements,
    .kv_scores = simd128::kv_scores,
    .kv_mix = simd128::kv_mix,
    .float_convolution = {.convolve = simd128::convolve_f32,
                          .winograd_input = simd128::winograd_input_f32,
                          .winograd_weights = simd128::winograd_weights_f32,
                          .winograd_multiply = simd128::winograd_multiply_f32,
                          .max_pool = simd128::max_pool_f32},
    .static_convolution = {.quantize = simd128::quantize_static,
                           .convolve = simd128::convolve_i16,
                           .winograd_input = simd128::winograd_input_i16,
                           .winograd_weights = simd128::winograd_weights_i16,
                           .winograd_multiply = simd128::winograd_multiply_i16,
                           .max_pool = simd128::max_pool_i16},
    .grouped_convolution = {.quantize_windows = simd128::quantize_windows, .multiply = simd128::multiply_groups},
    .widen_panels = simd128::widen_panels,
};

#if QUINTET_RELAXED
constexpr Kernels kRelaxed = {
    .name = "relaxed",
    .gemm_f32 = relaxed::gemm_f32,
    .gemm_panels_f32 = relaxed::gemm_panels_f32,
    .quantize_rows = relaxed::quantize_rows,
    .gemm_i8 = relaxed::gemm_i8,
    .softmax_rows = relaxed::softmax_rows,
    .layer_norm_rows = simd128::layer_norm_rows,
    .pack_rows = simd128::pack_rows,
    .pack_columns = simd128::pack_columns,
    .quantize_blocks = relaxed::quantize_blocks,
    .gemm_blocks = relaxed::gemm_blocks,
    .gemm_adaptive = relaxed::gemm_adaptive,
    .rms_norm_rows = simd128::rms_norm_rows,
    .rotate_heads = simd128::rotate_heads,
    .gate_elements = relaxed::gate_elements,
    .kv_scores = relaxed::kv_scores,
    .kv_mix = relaxed::kv_mix,
    .float_convolution = {.convolve = relaxed::convolve_f32,
                          .winograd_input = simd128::winograd_input_f32,
                          .winograd_weights = simd128::winograd_weights_f32,
                          .winograd_multiply = relaxed::winograd_multiply_f32,
                          .max_pool = simd128::max_pool_f32},
    .static_convolution = {.quantize = simd128::quantize_static,
                           .convolve = simd128::convolve_i16,
                           .winograd_input = simd128::winograd_input_i16,
                           .winograd_weights = simd128::winograd_weights_i16,
                           .winograd_multiply = simd128::winograd_multiply_i16,
                           .max_pool = simd128::max_pool_i16},
    .grouped_convolution = {.quantize_windows = simd128::quantize_windows, .multiply = simd128::multiply_groups},
    .widen_panels = simd128::widen_panels,
};
#endif

constexpr Kernels without_encoder_kernels(Kernels kernels) {
  kernels.gemm_panels_f32 = nullptr;
  kernels.quantize_rows = nullptr;
  kernels.gemm_i8 = nullptr;
  kernels.pack_rows = nullptr;
  kernels.pack_columns = nullptr;
  return kernels;
}

constexpr Kernels without_decoder_kernels(Kernels kernels) {
  kernels.quantize_blocks = nullptr;
  kernels.gemm_blocks = nullptr;
  kernels.gemm_adaptive = nullptr;
  kernels.rms_norm_rows = nullptr;
  kernels.rotate_heads = nullptr;
  kernels.gate_elements = nullptr;
  kernels.kv_scores = nullptr;
  kernels.kv_mix = nullptr;
  return kernels;
}

constexpr Kernels without_convolutions(Kernels kernels) {
  kernels.float_convolution = {};
  kernels.static_convolution = {};
  kernels.grouped_convolution = {};
  kernels.widen_panels = nullptr;
  return kernels;
}

constexpr Kernels only_float_convolutions(const Kernels& kernels) {
  Kernels part = {};
  part.name = kernels.name;
  part.float_convolution = kernels.float_convolution;
  return part;
}

constexpr Kernels only_convolutions(const Kernels& kernels) {
  Kernels part = only_float_convolutions(kernels);
  part.static_convolution = kernels.static_convolution;
  part.grouped_convolution = kernels.grouped_convolution;
  part.widen_panels = kernels.widen_panels;
  return part;
}

template <KernelSet kSet>
constexpr Kernels part(const Kernels& kernels) {
  switch (kSet) {
    case KernelSet::all:
      return kernels;
    case KernelSet::encoder:
      return without_convolutions(without_decoder_kernels(kernels));
    case KernelSet::decoder:
      return without_convolutions(without_encoder_kernels(kernels));
    case KernelSet::network:
      return only_convolutions(kernels);
    case KernelSet::calibration:
      return only_float_convolutions(kernels);
  }
}

#if QUINTET_RELAXED
constexpr const Kernels& kFastest = kRelaxed;
#else
constexpr const Kernels& kFastest = kSimd128;
#endif

template <KernelSet kSet>
struct Tables {
  static constexpr Kernels kDefinition = part<kSet>(kScalar);
  static constexpr Kernels kSimd = part<kSet>(kSimd128);
  static constexpr Kernels kBest = part<kSet>(kFastest);
#if QUINTET_RELAXED && !defined(__wasm__)
  static constexpr std::array kCompiled = {&kDefinition, &kSimd, &kBest};
#else
  static constexpr std::array kCompiled = {&kDefinition, &kBest};
#endif
};

template <>
struct Tables<KernelSet::all> {
  static constexpr std::array kCompiled = {
      &kScalar,
      &kSimd128,
#if QUINTET_RELAXED
      &kRelaxed,
#endif
  };
};

template <KernelSet kSet>
const Kernels* active = Tables<kSet>::kCompiled.back();

}  // namespace

template <KernelSet kSet>
std::span<const Kernels* const> compiled_kernels() {
  return Tables<kSet>::kCompiled;
}

template <KernelSet kSet>
const Kernels& active_kernels() {
  return *active<kSet>;
}

template <KernelSet kSet>
bool force_kernels(std::string_view name) {
  for (const Kernels* kernels : Tables<kSet>::kCompiled) {
    if (kernels->name != name) continue;
    active<kSet> = kernels;
    return true;
  }
  return false;
}

template std::span<const Kernels* const> compiled_kernels<KernelSet::all>();
template std::span<const Kernels* const> compiled_kernels<KernelSet::encoder>();
template std::span<const Kernels* const> compiled_kernels<KernelSet::decoder>();
template std::span<const Kernels* const> compiled_kernels<KernelSet::network>();
template std::span<const Kernels* const> compiled_kernels<KernelSet::calibration>();
template const Kernels& active_kernels<KernelSet::all>();
template const Kernels& active_kernels<KernelSet::encoder>();
template const Kernels& active_kernels<KernelSet::decoder>();
template const Kernels& active_kernels<KernelSet::network>();
template const Kernels& active_kernels<KernelSet::calibration>();
template bool force_kernels<KernelSet::all>(std::string_view name);
template bool force_kernels<KernelSet::encoder>(std::string_view name);
template bool force_kernels<KernelSet::decoder>(std::string_view name);
template bool force_kernels<KernelSet::network>(std::string_view name);
template bool force_kernels<KernelSet::calibration>(std::string_view name);

}  // namespace quintet
