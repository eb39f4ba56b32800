// Kernels of dynamically quantized networks. Their results are bit-identical everywhere.

#include "kernels/self_test/checks.h"

namespace quintet {
namespace {

// The sizes are odd: windows wrap to the next line, groups are not whole vectors, the last panel is not full.
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
constexpr Im2colView kView = {3, 3 * kChannels, kRowStride, kChannels, kRowStride, kWidth};
constexpr OutputGrid kGrid = {kHeight, kWidth, kWidth* kOutputs, kOutputs};

struct QuantizedIm2col {
  std::array<int16_t, kPositions * kGroups * kPairs * 2> q = {};
  std::array<float, kPositions * kGroups> scales = {};
};

QuantizedIm2col quantized(const Kernels& kernels, bool asymmetric) {
  const auto input = numbers<(kHeight + 2) * kRowStride>();
  QuantizedIm2col windows;
  kernels.quantize_im2col({.input = input.data(),
                           .view = kView,
                           .groups = {.channels = kChannels, .group = kGroup, .asymmetric = asymmetric},
                           .begin = 0,
                           .end = kPositions,
                           .q = windows.q.data(),
                           .scales = windows.scales.data()});
  return windows;
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

Outputs run_convolve_group_quantized(const Kernels& kernels, const QuantizedIm2col& windows,
                                     const PairedMatrix& weights) {
  const auto bias = numbers<kOutputs>();
  const Outputs residual = numbers<kPositions * kOutputs>();
  alignas(16) std::array<int16_t, kPanels * kGroups * kPairs * 2 * kPanelRows> panels;
  kernels.widen_panels(weights, 0, kPanels, panels.data());
  Outputs output = {};
  kernels.convolve_group_quantized({.q = windows.q.data(),
                                    .scales = windows.scales.data(),
                                    .w = weights,
                                    .panels = panels.data(),
                                    .output = output.data(),
                                    .grid = kGrid},
                                   {bias.data(), residual.data(), 0}, {0, kPositions, 0, kPanels});
  return output;
}

}  // namespace

namespace checks {

bool quantize_im2col(const Kernels& kernels, const Kernels& definition) {
  for (const bool asymmetric : {false, true}) {
    const QuantizedIm2col a = quantized(kernels, asymmetric), b = quantized(definition, asymmetric);
    if (a.q != b.q || !same(a.scales, b.scales)) return false;
  }
  return true;
}

bool convolve_group_quantized(const Kernels& kernels, const Kernels& definition) {
  PairedMatrix weights(kOutputs, kGroups, kGroup);
  if (!fill(weights)) return false;
  const QuantizedIm2col windows = quantized(definition, true);
  return same(run_convolve_group_quantized(kernels, windows, weights),
              run_convolve_group_quantized(definition, windows, weights));
}

}  // namespace checks

}  // namespace quintet
