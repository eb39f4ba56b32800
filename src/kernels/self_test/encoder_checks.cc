#include "kernels/self_test/checks.h"

namespace quintet {
namespace {

// The sizes are odd: no tile fits, every tail is reached.
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
  kernels.gemm_f32({.a = {a.data(), kDepth}, .w = weights, .c = {c.data(), kOutputs}},
                   {.alpha = 0.5f, .bias = bias.data(), .activation = Activation::gelu_erf}, kWhole);
  return c;
}

QuantizeRowsOperands quantization(const Inputs& x, uint8_t* q, float* scales) {
  return {.x = {x.data(), kDepth}, .rows = kRows, .cols = kDepth, .groups = kDepth / kGroup, .q = q, .scales = scales};
}

// The largest magnitude is 63, so the scale is 1 and the GEMM gets integers of the full range.
Outputs run_gemm_i8(const Kernels& kernels, const PackedMatrix& weights) {
  Inputs x;
  Sequence sequence;
  for (float& value : x) value = static_cast<float>((sequence.next_bits() >> 8) % 127) - 63;
  for (size_t row = 0; row < kRows; ++row) x[row * kDepth] = 63;
  alignas(float) std::array<uint8_t, kRows * kDepth / kQuad * kActivationQuadBytes> q;
  std::array<float, kRows> scales;
  kernels.quantize_rows(quantization(x, q.data(), scales.data()));
  Outputs c = {};
  kernels.gemm_i8({.q = q.data(), .scales = scales.data(), .rows = kRows, .w = weights, .c = {c.data(), kOutputs}}, {},
                  {0, kPanels});
  return c;
}

Outputs run_gemm_panels_f32(const Kernels& kernels) {
  const Inputs a = numbers<kRows * kDepth>();
  const auto panels = numbers<kPanels * kPanelRows * kDepth>();
  Outputs c = {};
  kernels.gemm_panels_f32({.a = {a.data(), kDepth},
                           .panels = panels.data(),
                           .m = kRows,
                           .n = kOutputs,
                           .k = kDepth,
                           .c = {c.data(), kOutputs}},
                          {});
  return c;
}

}  // namespace

namespace checks {

bool gemm_f32(const Kernels& kernels, const Kernels& definition) {
  const auto weights = numbers<kOutputs * kDepth>();
  PackedMatrix packed(Storage::f32, kOutputs, kDepth);
  if (!packed.append_rows(reinterpret_cast<const std::byte*>(weights.data()), kOutputs)) return false;
  return near(run_gemm_f32(kernels, packed), run_gemm_f32(definition, packed));
}

bool gemm_i8(const Kernels& kernels, const Kernels& definition) {
  std::array<int8_t, kOutputs * kDepth> weights;
  Sequence sequence;
  // The whole range, -128 included.
  for (int8_t& weight : weights) weight = static_cast<int8_t>(sequence.next_bits() >> 24);
  PackedMatrix packed(Storage::i8, kOutputs, kDepth, kGroup);
  const auto scales = numbers<kOutputs*(kDepth / kGroup)>();
  if (!packed.append_rows(reinterpret_cast<const std::byte*>(weights.data()), kOutputs)) return false;
  if (!packed.set_scales(scales)) return false;
  return same(run_gemm_i8(kernels, packed), run_gemm_i8(definition, packed));
}

bool pack_rows(const Kernels& kernels, const Kernels& definition) {
  const Inputs x = numbers<kRows * kDepth>();
  std::array<float, kPanelRows * kDepth> a = {}, b = {};
  PackOperands operands = {.x = {x.data(), kDepth}, .rows = kRows, .cols = kDepth, .panels = a.data()};
  kernels.pack_rows(operands);
  operands.panels = b.data();
  definition.pack_rows(operands);
  return same(a, b);
}

bool pack_columns(const Kernels& kernels, const Kernels& definition) {
  const Inputs x = numbers<kRows * kDepth>();
  std::array<float, kRows * kPanels * kPanelRows> a = {}, b = {};
  PackOperands operands = {.x = {x.data(), kDepth}, .rows = kRows, .cols = kOutputs, .panels = a.data()};
  kernels.pack_columns(operands);
  operands.panels = b.data();
  definition.pack_columns(operands);
  return same(a, b);
}

bool gemm_panels_f32(const Kernels& kernels, const Kernels& definition) {
  return near(run_gemm_panels_f32(kernels), run_gemm_panels_f32(definition));
}

// The bytes differ between variants; the check of gemm_i8 shows whether they are right.
bool quantize_rows(const Kernels& kernels, const Kernels& definition) {
  const Inputs x = numbers<kRows * kDepth>();
  alignas(float) std::array<uint8_t, kRows * kDepth / kQuad * kActivationQuadBytes> q;
  std::array<float, kRows> a = {}, b = {};
  QuantizeRowsOperands operands = quantization(x, q.data(), a.data());
  kernels.quantize_rows(operands);
  operands.scales = b.data();
  definition.quantize_rows(operands);
  return same(a, b);
}

bool softmax_rows(const Kernels& kernels, const Kernels& definition) {
  Inputs a = numbers<kRows * kDepth>();
  Inputs b = a;
  SoftmaxOperands operands = {.x = {a.data(), kDepth}, .rows = kRows, .cols = kDepth - 1};
  kernels.softmax_rows(operands);
  operands.x.data = b.data();
  definition.softmax_rows(operands);
  return near(a, b);
}

bool layer_norm_rows(const Kernels& kernels, const Kernels& definition) {
  const Inputs x = numbers<kRows * kDepth>();
  Inputs a = {}, b = {};
  NormOperands operands = {.x = {x.data(), kDepth},
                           .rows = kRows,
                           .cols = kDepth - 1,
                           .gamma = x.data(),
                           .beta = x.data() + kDepth,
                           .epsilon = 1e-5f,
                           .y = {a.data(), kDepth}};
  kernels.layer_norm_rows(operands);
  operands.y.data = b.data();
  definition.layer_norm_rows(operands);
  return near(a, b);
}

}  // namespace checks

}  // namespace quintet
