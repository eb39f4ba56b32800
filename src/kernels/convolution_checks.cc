#include "kernels/convolution_checks.h"

namespace quintet {
namespace {

// Odd sizes: tiles wrap to the next line and reach beyond the map, the last panel is not full.
constexpr size_t kWidth = 5;
constexpr size_t kHeight = 3;
constexpr size_t kChannels = 12;
constexpr size_t kOutputs = 21;
constexpr size_t kPanels = (kOutputs + kPanelRows - 1) / kPanelRows;
constexpr size_t kWindow = 9 * kChannels;
constexpr size_t kTilesInRow = (kWidth + 1) / 2;
constexpr size_t kTiles = kTilesInRow * ((kHeight + 1) / 2);

constexpr size_t kRowStride = (kWidth + 3) * kChannels;
constexpr size_t kInput = (kHeight + 3) * kRowStride;
constexpr Windows kWindows = {3, 3 * kChannels, kRowStride, kChannels, kRowStride, kWidth};
constexpr OutputGrid kGrid = {kHeight, kWidth, kWidth * kOutputs, kOutputs};
constexpr ConvTile kWhole = {0, kHeight * kWidth, 0, kPanels};
constexpr WinogradTiles kWinogradTiles = {kRowStride, kChannels, kTilesInRow, 0, kTiles};

using Outputs = std::array<float, kHeight * kWidth * kOutputs>;

// Sums stay small, and so do their rounding errors.
template <size_t kCount>
std::array<float, kCount> small_numbers() {
  auto values = numbers<kCount>();
  for (float& value : values) value *= 0.25f;
  return values;
}

struct FloatOperands {
  FloatOperands() {
    const auto weights = small_numbers<kOutputs * kWindow>();
    good = packed.append_rows(reinterpret_cast<const std::byte*>(weights.data()), kOutputs).has_value();
  }
  FloatEpilogue epilogue() const { return {bias.data(), residual.data(), true}; }

  PackedMatrix packed{Storage::f32, kOutputs, kWindow};
  std::array<float, kInput> input = numbers<kInput>();
  std::array<float, kOutputs> bias = numbers<kOutputs>();
  Outputs residual = numbers<kHeight * kWidth * kOutputs>();
  bool good;
};

Outputs run_convolve_f32(const FloatConvolutionKernels& kernels, const FloatOperands& operands) {
  Outputs output = {};
  kernels.convolve(operands.input.data(), kWindows, operands.packed, output.data(), kGrid, operands.epilogue(), kWhole);
  return output;
}

bool convolve_f32_works(const Kernels& kernels, const Kernels& definition) {
  const FloatOperands operands;
  return operands.good && near(run_convolve_f32(kernels.float_convolution, operands),
                               run_convolve_f32(definition.float_convolution, operands));
}

using WinogradInput = std::array<float, kTiles * kWinogradTaps * kChannels>;
using WinogradWeights = std::array<float, kPanels * kWinogradTaps * kChannels * kPanelRows>;

bool winograd_input_f32_works(const Kernels& kernels, const Kernels& definition) {
  const FloatOperands operands;
  WinogradInput a = {}, b = {};
  kernels.float_convolution.winograd_input(operands.input.data(), kWinogradTiles, a.data());
  definition.float_convolution.winograd_input(operands.input.data(), kWinogradTiles, b.data());
  return same(a, b);
}

bool winograd_weights_f32_works(const Kernels& kernels, const Kernels& definition) {
  const FloatOperands operands;
  WinogradWeights a = {}, b = {};
  if (!operands.good) return false;
  kernels.float_convolution.winograd_weights(operands.packed, kChannels, 0, kPanels, a.data());
  definition.float_convolution.winograd_weights(operands.packed, kChannels, 0, kPanels, b.data());
  return same(a, b);
}

Outputs run_winograd_multiply_f32(const FloatConvolutionKernels& kernels, const FloatOperands& operands) {
  const auto v = numbers<kTiles * kWinogradTaps * kChannels>();
  const auto u = small_numbers<kPanels * kWinogradTaps * kChannels * kPanelRows>();
  Outputs output = {};
  kernels.winograd_multiply(v.data(), u.data(), kChannels, output.data(), kGrid, operands.epilogue(),
                            {0, kTiles, 0, kPanels});
  return output;
}

bool winograd_multiply_f32_works(const Kernels& kernels, const Kernels& definition) {
  const FloatOperands operands;
  return near(run_winograd_multiply_f32(kernels.float_convolution, operands),
              run_winograd_multiply_f32(definition.float_convolution, operands));
}

Outputs run_max_pool_f32(const FloatConvolutionKernels& kernels) {
  constexpr size_t kPixels = (2 * kHeight + 1) * (2 * kWidth + 1);
  const auto input = numbers<kPixels * kOutputs>();
  Outputs output = {};
  kernels.max_pool(input.data(), (2 * kWidth + 1) * kOutputs, output.data(), kGrid);
  return output;
}

bool max_pool_f32_works(const Kernels& kernels, const Kernels& definition) {
  return same(run_max_pool_f32(kernels.float_convolution), run_max_pool_f32(definition.float_convolution));
}

constexpr KernelCheck kFloatChecks[] = {
    {"convolve_f32", convolve_f32_works},
    {"winograd_input_f32", winograd_input_f32_works},
    {"winograd_weights_f32", winograd_weights_f32_works},
    {"winograd_multiply_f32", winograd_multiply_f32_works},
    {"max_pool_f32", max_pool_f32_works},
};

}  // namespace

std::span<const KernelCheck> float_convolution_checks() { return kFloatChecks; }

}  // namespace quintet
