// Kernels of dynamically quantized networks; their results are the same bits everywhere.

#include "kernels/convolution_checks.h"

namespace quintet {
namespace {

// Odd sizes: windows wrap to the next line, groups are no whole vectors, the last panel is not full.
constexpr size_t kWidth = 4;
constexpr size_t kHeight = 2;
constexpr size_t kChannels = 5;
constexpr size_t kOutputs = 11;
constexpr size_t kPanels = (kOutputs + kPanelRows - 1) / kPanelRows;
constexpr size_t kGroup = 15;
constexpr size_t kGroups = 9 * kChannels / kGroup;
constexpr size_t kPairs = (kGroup + 1) / 2;
constexpr size_t kPositions = kHeight * kWidth;

constexpr size_t kRowStride = (kWidth + 2) * kChannels;
constexpr Windows kWindows = {3, 3 * kChannels, kRowStride, kChannels, kRowStride, kWidth};
constexpr OutputGrid kGrid = {kHeight, kWidth, kWidth* kOutputs, kOutputs};

struct QuantizedWindows {
  std::array<int16_t, kPositions * kGroups * kPairs * 2> q = {};
  std::array<float, kPositions * kGroups> scales = {};
};

QuantizedWindows quantized(const Kernels& kernels, bool asymmetric) {
  const auto input = numbers<(kHeight + 2) * kRowStride>();
  QuantizedWindows windows;
  kernels.grouped_convolution.quantize_windows(input.data(), kWindows, {kChannels, kGroup, asymmetric}, 0, kPositions,
                                               windows.q.data(), windows.scales.data());
  return windows;
}

bool quantize_windows_works(const Kernels& kernels, const Kernels& definition) {
  for (const bool asymmetric : {false, true}) {
    const QuantizedWindows a = quantized(kernels, asymmetric), b = quantized(definition, asymmetric);
    if (a.q != b.q || !same(a.scales, b.scales)) return false;
  }
  return true;
}

bool fill(PairedMatrix& weights) {
  Sequence sequence;
  for (size_t row = 0; row < kOutputs; ++row) {
    std::array<int8_t, kGroups * kGroup> values;
    for (int8_t& value : values) value = static_cast<int8_t>(sequence.next_bits() >> 24);
    if (!weights.append_row(values)) return false;
  }
  return weights.set_groups(numbers<kOutputs * kGroups>(), {}).has_value();
}

using Outputs = std::array<float, kPositions * kOutputs>;

Outputs run_multiply_groups(const Kernels& kernels, const QuantizedWindows& windows, const PairedMatrix& weights) {
  const auto bias = numbers<kOutputs>();
  const Outputs residual = numbers<kPositions * kOutputs>();
  alignas(16) std::array<int16_t, kPanels * kGroups * kPairs * 2 * kPanelRows> panels;
  kernels.widen_panels(weights, 0, kPanels, panels.data());
  Outputs output = {};
  kernels.grouped_convolution.multiply(windows.q.data(), windows.scales.data(), weights, panels.data(), output.data(),
                                       kGrid, {bias.data(), residual.data(), true}, {0, kPositions, 0, kPanels});
  return output;
}

bool multiply_groups_works(const Kernels& kernels, const Kernels& definition) {
  PairedMatrix weights(kOutputs, kGroups, kGroup);
  if (!fill(weights)) return false;
  const QuantizedWindows windows = quantized(definition, true);
  return same(run_multiply_groups(kernels, windows, weights), run_multiply_groups(definition, windows, weights));
}

constexpr KernelCheck kChecks[] = {
    {"quantize_windows", quantize_windows_works},
    {"multiply_groups", multiply_groups_works},
};

}  // namespace

std::span<const KernelCheck> grouped_convolution_checks() { return kChecks; }

}  // namespace quintet
