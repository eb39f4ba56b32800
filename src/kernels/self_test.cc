#include "kernels/block_checks.h"
#include "kernels/convolution_checks.h"
#include "kernels/decoder_checks.h"
#include "kernels/registry.h"

namespace quintet {
namespace {

// Odd sizes: no tile fits, every tail is reached.
constexpr size_t kRows = 7;
constexpr size_t kDepth = 72;
constexpr size_t kGroup = 36;
constexpr size_t kOutputs = 21;
constexpr size_t kPanels = (kOutputs + kPanelRows - 1) / kPanelRows;

using Inputs = std::array<float, kRows * kDepth>;
using Outputs = std::array<float, kRows * kOutputs>;

constexpr GemmTile kWhole = {0, kRows, 0, kPanels};

Outputs run_gemm_f32(const Kernels& kernels, const PackedMatrix& weights) {
  const Inputs a = numbers<kRows * kDepth>();
  const auto bias = numbers<kOutputs>();
  Outputs c = {};
  kernels.gemm_f32(a.data(), kDepth, weights, c.data(), kOutputs,
                   {.alpha = 0.5f, .bias = bias.data(), .activation = Activation::gelu_erf}, kWhole);
  return c;
}

bool gemm_f32_works(const Kernels& kernels, const Kernels& definition) {
  const auto weights = numbers<kOutputs * kDepth>();
  PackedMatrix packed(Storage::f32, kOutputs, kDepth);
  if (!packed.append_rows(reinterpret_cast<const std::byte*>(weights.data()), kOutputs)) return false;
  return near(run_gemm_f32(kernels, packed), run_gemm_f32(definition, packed));
}

// The largest magnitude is 63: the scale is 1, and the GEMM gets integers of its whole range.
Outputs run_gemm_i8(const Kernels& kernels, const PackedMatrix& weights) {
  Inputs x;
  Sequence sequence;
  for (float& value : x) value = static_cast<float>((sequence.next_bits() >> 8) % 127) - 63;
  for (size_t row = 0; row < kRows; ++row) x[row * kDepth] = 63;
  std::array<uint8_t, kRows * kDepth / kQuad * kActivationQuadBytes> q;
  std::array<float, kRows> scales;
  kernels.quantize_rows(x.data(), kDepth, kRows, kDepth, kDepth / kGroup, q.data(), scales.data());
  Outputs c = {};
  kernels.gemm_i8(q.data(), scales.data(), weights, c.data(), kOutputs, {}, kWhole);
  return c;
}

bool gemm_i8_works(const Kernels& kernels, const Kernels& definition) {
  std::array<int8_t, kOutputs * kDepth> weights;
  Sequence sequence;
  // Whole range, -128 included.
  for (int8_t& weight : weights) weight = static_cast<int8_t>(sequence.next_bits() >> 24);
  PackedMatrix packed(Storage::i8, kOutputs, kDepth, kGroup);
  const auto scales = numbers<kOutputs*(kDepth / kGroup)>();
  if (!packed.append_rows(reinterpret_cast<const std::byte*>(weights.data()), kOutputs)) return false;
  if (!packed.set_scales(scales)) return false;
  return same(run_gemm_i8(kernels, packed), run_gemm_i8(definition, packed));
}

bool pack_rows_works(const Kernels& kernels, const Kernels& definition) {
  const Inputs x = numbers<kRows * kDepth>();
  std::array<float, kPanelRows * kDepth> a = {}, b = {};
  kernels.pack_rows(x.data(), kDepth, kRows, kDepth, a.data());
  definition.pack_rows(x.data(), kDepth, kRows, kDepth, b.data());
  return same(a, b);
}

bool pack_columns_works(const Kernels& kernels, const Kernels& definition) {
  const Inputs x = numbers<kRows * kDepth>();
  std::array<float, kRows * kPanels * kPanelRows> a = {}, b = {};
  kernels.pack_columns(x.data(), kDepth, kRows, kOutputs, a.data());
  definition.pack_columns(x.data(), kDepth, kRows, kOutputs, b.data());
  return same(a, b);
}

Outputs run_gemm_panels_f32(const Kernels& kernels) {
  const Inputs a = numbers<kRows * kDepth>();
  const auto panels = numbers<kPanels * kPanelRows * kDepth>();
  Outputs c = {};
  kernels.gemm_panels_f32(a.data(), kDepth, kRows, panels.data(), kOutputs, kDepth, c.data(), kOutputs, {});
  return c;
}

bool gemm_panels_f32_works(const Kernels& kernels, const Kernels& definition) {
  return near(run_gemm_panels_f32(kernels), run_gemm_panels_f32(definition));
}

// The bytes are the variant's own; gemm_i8_works sees whether they mean the same.
bool quantize_rows_works(const Kernels& kernels, const Kernels& definition) {
  const Inputs x = numbers<kRows * kDepth>();
  std::array<uint8_t, kRows * kDepth / kQuad * kActivationQuadBytes> q;
  std::array<float, kRows> a = {}, b = {};
  kernels.quantize_rows(x.data(), kDepth, kRows, kDepth, kDepth / kGroup, q.data(), a.data());
  definition.quantize_rows(x.data(), kDepth, kRows, kDepth, kDepth / kGroup, q.data(), b.data());
  return same(a, b);
}

bool softmax_rows_works(const Kernels& kernels, const Kernels& definition) {
  Inputs a = numbers<kRows * kDepth>();
  Inputs b = a;
  kernels.softmax_rows(a.data(), kDepth, kRows, kDepth - 1);
  definition.softmax_rows(b.data(), kDepth, kRows, kDepth - 1);
  return near(a, b);
}

bool layer_norm_rows_works(const Kernels& kernels, const Kernels& definition) {
  const Inputs x = numbers<kRows * kDepth>();
  Inputs a = {}, b = {};
  constexpr size_t kCols = kDepth - 1;
  const float* const gamma = x.data();
  const float* const beta = x.data() + kDepth;
  kernels.layer_norm_rows(x.data(), kDepth, kRows, kCols, gamma, beta, 1e-5f, a.data(), kDepth);
  definition.layer_norm_rows(x.data(), kDepth, kRows, kCols, gamma, beta, 1e-5f, b.data(), kDepth);
  return near(a, b);
}

constexpr KernelCheck kCommonChecks[] = {
    {"gemm_f32", gemm_f32_works},
    {"softmax_rows", softmax_rows_works},
    {"layer_norm_rows", layer_norm_rows_works},
};

constexpr KernelCheck kEncoderChecks[] = {
    {"gemm_panels_f32", gemm_panels_f32_works},
    {"quantize_rows", quantize_rows_works},
    {"gemm_i8", gemm_i8_works},
    {"pack_rows", pack_rows_works},
    {"pack_columns", pack_columns_works},
};

std::optional<std::string_view> first_wrong(std::span<const KernelCheck> checks, const Kernels& kernels,
                                            const Kernels& definition) {
  for (const KernelCheck& check : checks) {
    if (!check.works(kernels, definition)) return check.kernel;
  }
  return std::nullopt;
}

}  // namespace

template <KernelSet kSet>
std::optional<std::string_view> self_test(const Kernels& kernels) {
  constexpr bool kAll = kSet == KernelSet::all;
  const Kernels& definition = *compiled_kernels<kSet>().front();
  std::optional<std::string_view> wrong;
  const auto run = [&](std::span<const KernelCheck> checks) {
    if (!wrong) wrong = first_wrong(checks, kernels, definition);
  };
  if constexpr (kAll || kSet == KernelSet::encoder || kSet == KernelSet::decoder) run(kCommonChecks);
  if constexpr (kAll || kSet == KernelSet::encoder) run(kEncoderChecks);
  if constexpr (kAll || kSet == KernelSet::decoder) {
    run(block_checks());
    run(decoder_checks());
  }
  if constexpr (kAll || kSet == KernelSet::network || kSet == KernelSet::calibration) run(float_convolution_checks());
  if constexpr (kAll || kSet == KernelSet::network) {
    run(static_convolution_checks());
    run(grouped_convolution_checks());
  }
  return wrong;
}

template std::optional<std::string_view> self_test<KernelSet::all>(const Kernels& kernels);
template std::optional<std::string_view> self_test<KernelSet::encoder>(const Kernels& kernels);
template std::optional<std::string_view> self_test<KernelSet::decoder>(const Kernels& kernels);
template std::optional<std::string_view> self_test<KernelSet::network>(const Kernels& kernels);
template std::optional<std::string_view> self_test<KernelSet::calibration>(const Kernels& kernels);

}  // namespace quintet
