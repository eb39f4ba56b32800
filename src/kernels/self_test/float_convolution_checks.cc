#include "kernels/self_test/checks.h"

namespace quintet {
namespace {

using Conv = OddConvolution<12, 21>;
constexpr ConvTile kWhole = {0, Conv::kPositions, 0, Conv::kPanels};

using Outputs = std::array<float, Conv::kMapOutputs>;

// Sums stay small, so their rounding errors do too.
constexpr float kSmall = 0.25f;

struct FloatOperands {
  FloatOperands() {
    const auto weights = numbers<Conv::kOutputs * Conv::kWindow>(kSmall);
    good = packed.append_rows(reinterpret_cast<const std::byte*>(weights.data()), Conv::kOutputs).has_value();
  }
  FloatEpilogue epilogue() const { return {bias.data(), residual.data(), 0}; }

  PackedMatrix packed{Storage::f32, Conv::kOutputs, Conv::kWindow};
  std::array<float, Conv::kInput> input = numbers<Conv::kInput>();
  std::array<float, Conv::kOutputs> bias = numbers<Conv::kOutputs>();
  Outputs residual = numbers<Conv::kMapOutputs>();
  bool good;
};

Outputs run_convolve_f32(const Kernels& kernels, const FloatOperands& operands) {
  Outputs output = {};
  kernels.convolve_f32({.input = operands.input.data(),
                        .view = Conv::kView,
                        .w = operands.packed,
                        .output = output.data(),
                        .grid = Conv::kGrid},
                       operands.epilogue(), kWhole);
  return output;
}

using WinogradInput = std::array<float, Conv::kTiles * kWinogradTaps * Conv::kChannels>;
using WinogradWeights = std::array<float, Conv::kPanels * kWinogradTaps * Conv::kChannels * kPanelRows>;

Outputs run_winograd_multiply_f32(const Kernels& kernels, const FloatOperands& operands) {
  const auto v = numbers<Conv::kTiles * kWinogradTaps * Conv::kChannels>();
  const auto u = numbers<Conv::kPanels * kWinogradTaps * Conv::kChannels * kPanelRows>(kSmall);
  Outputs output = {};
  kernels.winograd_multiply_f32(
      {.v = v.data(), .u = u.data(), .channels = Conv::kChannels, .output = output.data(), .grid = Conv::kGrid},
      operands.epilogue(), {0, Conv::kTiles, 0, Conv::kPanels});
  return output;
}

Outputs run_max_pool_f32(const Kernels& kernels) {
  constexpr size_t kPixels = (2 * Conv::kHeight + 1) * (2 * Conv::kWidth + 1);
  const auto input = numbers<kPixels * Conv::kOutputs>();
  Outputs output = {};
  kernels.max_pool_f32(input.data(), (2 * Conv::kWidth + 1) * Conv::kOutputs, output.data(), Conv::kGrid);
  return output;
}

Outputs run_depthwise_f32(const Kernels& kernels, size_t kernel) {
  constexpr size_t kChannels = Conv::kOutputs, kRowStride = (Conv::kWidth + 7) * kChannels;
  const auto input = numbers<(Conv::kHeight + 7) * kRowStride>();
  const auto weight = numbers<7 * 7 * kChannels>(kSmall);
  const auto bias = numbers<kChannels>();
  Outputs output = {};
  kernels.depthwise_f32({.input = input.data(),
                         .row_stride = kRowStride,
                         .kernel = kernel,
                         .stride = 1,
                         .weight = weight.data(),
                         .output = output.data(),
                         .grid = Conv::kGrid},
                        {.bias = bias.data()}, 0, Conv::kHeight);
  return output;
}

// Pixels that one variant quantizes and one multiplies. Any bytes are weights, and any number is their sum.
[[gnu::noinline]] Outputs run_pointwise(const Kernels& quantizing, const Kernels& multiplying) {
  constexpr size_t kQuads = 5, kChannels = kQuads * kQuad, kPanelBytes = (kQuads + 1) * kPanelRows * kQuad;
  constexpr size_t kGroups = (Conv::kPositions + kInterleavedWindows - 1) / kInterleavedWindows;
  const Outputs input = numbers<Conv::kMapOutputs>();
  std::array<uint8_t, kGroups * kChannels * kInterleavedWindows> q = {};
  std::array<float, kGroups * kInterleavedWindows> scales = {};
  quantizing.quantize_pixels({.input = input.data(),
                              .view = {1, kChannels, 0, kChannels, Conv::kGrid.row_stride, Conv::kWidth},
                              .range = PixelRange::from(-1),
                              .begin = 0,
                              .end = Conv::kPositions,
                              .q = q.data(),
                              .scales = scales.data()});
  std::array<int8_t, Conv::kPanels * kPanelBytes> panels;
  Sequence sequence;
  for (int8_t& byte : panels) byte = static_cast<int8_t>(sequence.next_bits() >> 24);
  Outputs output = {};
  multiplying.pointwise_i8({.q = q.data(),
                            .scales = scales.data(),
                            .zero_point = 1,
                            .w = {panels.data(), input.data(), kQuads},
                            .output = output.data(),
                            .grid = Conv::kGrid},
                           {.min = 0}, kWhole);
  return output;
}

}  // namespace

namespace checks {

bool quantize_pixels(const Kernels& kernels, const Kernels& definition) {
  return same(run_pointwise(kernels, definition), run_pointwise(definition, definition));
}

bool pointwise_i8(const Kernels& kernels, const Kernels& definition) {
  return same(run_pointwise(definition, kernels), run_pointwise(definition, definition));
}

bool convolve_f32(const Kernels& kernels, const Kernels& definition) {
  const FloatOperands operands;
  return operands.good && near(run_convolve_f32(kernels, operands), run_convolve_f32(definition, operands));
}

bool winograd_input_f32(const Kernels& kernels, const Kernels& definition) {
  const FloatOperands operands;
  WinogradInput a = {}, b = {};
  kernels.winograd_input_f32(operands.input.data(), Conv::kWinogradTiles, a.data());
  definition.winograd_input_f32(operands.input.data(), Conv::kWinogradTiles, b.data());
  return same(a, b);
}

bool winograd_weights_f32(const Kernels& kernels, const Kernels& definition) {
  const FloatOperands operands;
  WinogradWeights a = {}, b = {};
  if (!operands.good) return false;
  kernels.winograd_weights_f32(operands.packed, Conv::kChannels, 0, Conv::kPanels, a.data());
  definition.winograd_weights_f32(operands.packed, Conv::kChannels, 0, Conv::kPanels, b.data());
  return same(a, b);
}

bool winograd_multiply_f32(const Kernels& kernels, const Kernels& definition) {
  const FloatOperands operands;
  return near(run_winograd_multiply_f32(kernels, operands), run_winograd_multiply_f32(definition, operands));
}

bool max_pool_f32(const Kernels& kernels, const Kernels& definition) {
  return same(run_max_pool_f32(kernels), run_max_pool_f32(definition));
}

bool depthwise_f32(const Kernels& kernels, const Kernels& definition) {
  for (const size_t kernel : {3U, 4U, 5U, 7U}) {
    if (!near(run_depthwise_f32(kernels, kernel), run_depthwise_f32(definition, kernel))) return false;
  }
  return true;
}

bool activate(const Kernels& kernels, const Kernels& definition) {
  using enum Activation;
  for (const Activation activation :
       {silu, gelu_erf, gelu_tanh, gelu_quick, relu, relu6, sigmoid, hard_sigmoid, hard_swish}) {
    auto a = numbers<Conv::kOutputs>(8), b = a;
    kernels.activate(activation, a.data(), a.size());
    definition.activate(activation, b.data(), b.size());
    if (!near(a, b)) return false;
  }
  return true;
}

bool sum_channels(const Kernels& kernels, const Kernels& definition) {
  const auto x = numbers<Conv::kMapOutputs>();
  std::array<float, Conv::kOutputs> a = {}, b = {};
  SumChannelsOperands operands = {.x = {x.data(), Conv::kOutputs},
                                  .rows = Conv::kPositions,
                                  .cols = Conv::kOutputs,
                                  .squares = true,
                                  .sums = a.data()};
  kernels.sum_channels(operands);
  operands.sums = b.data();
  definition.sum_channels(operands);
  return same(a, b);
}

bool scale_channels(const Kernels& kernels, const Kernels& definition) {
  const auto factors = numbers<Conv::kOutputs>();
  Outputs a = numbers<Conv::kMapOutputs>(), b = a;
  ScaleChannelsOperands operands = {.x = {a.data(), Conv::kOutputs},
                                    .rows = Conv::kPositions,
                                    .cols = Conv::kOutputs,
                                    .factors = factors.data(),
                                    .bias = factors.data()};
  kernels.scale_channels(operands);
  operands.x.data = b.data();
  definition.scale_channels(operands);
  return same(a, b);
}

}  // namespace checks

}  // namespace quintet
