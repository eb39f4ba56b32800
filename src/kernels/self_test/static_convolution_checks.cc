// Kernels of statically quantized networks. Their results are the same integers everywhere.

#include <algorithm>

#include "kernels/self_test/checks.h"

namespace quintet {
namespace {

using Conv = OddConvolution<10, 13>;

template <size_t kCount>
using Integers = std::array<int16_t, kCount>;
using Outputs = Integers<Conv::kMapOutputs>;

// Integers of magnitudes up to 2^15 / smaller.
[[gnu::noinline]] void fill_integers(int16_t* values, size_t count, int smaller) {
  Sequence sequence;
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<int16_t>(static_cast<int16_t>(sequence.next_bits() >> 16) / smaller);
  }
}

template <size_t kCount, int kSmaller>
Integers<kCount> integers() {
  Integers<kCount> values;
  fill_integers(values.data(), kCount, kSmaller);
  return values;
}

struct StaticOperands {
  explicit StaticOperands(int32_t weight_zero_point = -5) {
    Sequence sequence;
    for (size_t row = 0; row < Conv::kOutputs; ++row) {
      std::array<int8_t, Conv::kWindow> values;
      // The whole range, -128 included.
      for (int8_t& value : values) value = static_cast<int8_t>(sequence.next_bits() >> 24);
      good = good && weights.append_row(values);
      bias[row] = static_cast<int32_t>(sequence.next_bits()) >> 16;
    }
    good = good && weights.set_zero_point(weight_zero_point);
  }
  // It has both roundings, and values beyond all ranges.
  StaticEpilogue epilogue() const { return {bias.data(), 0.001f, 100, 90, residual.data(), 0.1f, 0.2f, 0.15f, 30}; }

  PairedMatrix weights{Conv::kOutputs, 3, 3 * Conv::kChannels};
  Integers<Conv::kInput> input = integers<Conv::kInput, 128>();
  std::array<int32_t, Conv::kOutputs> bias;
  Outputs residual = integers<Conv::kMapOutputs, 128>();
  bool good = true;
};

using Widened = Integers<Conv::kPanels*(Conv::kWindow + 6) * kPanelRows>;

Outputs run_convolve_i16(const Kernels& kernels, const StaticOperands& operands) {
  Widened panels = {};
  kernels.widen_panels(operands.weights, 0, Conv::kPanels, panels.data());
  Outputs output = {};
  kernels.convolve_i16({.input = operands.input.data(),
                        .view = Conv::kView,
                        .w = operands.weights,
                        .panels = panels.data(),
                        .output = output.data(),
                        .grid = Conv::kGrid},
                       operands.epilogue(), {0, Conv::kPositions, 0, Conv::kPanels});
  return output;
}

// The operands of products of bytes.
struct ByteOperands : StaticOperands {
  static constexpr int32_t kZeroPoint = 77;  // of the input

  ByteOperands() : StaticOperands(0) {
    for (int16_t& x : input) x = static_cast<int16_t>((x & 255) - kZeroPoint);
  }

  static constexpr size_t kQuads = 3 * ((3 * Conv::kChannels + kQuad - 1) / kQuad);
  static constexpr size_t kGroups = (Conv::kPositions + kInterleavedWindows - 1) / kInterleavedWindows;
  using Windows = std::array<uint8_t, kGroups * kQuads * kInterleavedWindows * kQuad>;
  using Panels = std::array<int8_t, Conv::kPanels*(kQuads + 1) * kPanelRows * kQuad>;

  Windows windows(const Kernels& kernels) const {
    Windows q = {};
    kernels.interleave_windows({.input = input.data(),
                                .view = Conv::kView,
                                .zero_point = kZeroPoint,
                                .begin = 0,
                                .end = Conv::kPositions,
                                .q = q.data()});
    return q;
  }
  Panels panels(const Kernels& kernels) const {
    Panels out = {};
    kernels.interleave_panels(weights, 0, Conv::kPanels, out.data());
    return out;
  }
  Outputs convolution(const Kernels& kernels) const {
    const Windows q = windows(kernels);
    alignas(16) const Panels of_weights = panels(kernels);
    Outputs output = {};
    kernels.convolve_i8({.q = q.data(),
                         .zero_point = kZeroPoint,
                         .w = weights,
                         .panels = of_weights.data(),
                         .output = output.data(),
                         .grid = Conv::kGrid},
                        epilogue(), {0, Conv::kPositions, 0, Conv::kPanels});
    return output;
  }
};

Outputs run_winograd_multiply_i16(const Kernels& kernels, const StaticOperands& operands) {
  const auto v = integers<Conv::kTiles * kWinogradTaps * Conv::kChannels, 32>();
  const auto u = integers<Conv::kPanels * kWinogradTaps * static_tap_values(Conv::kChannels), 8>();
  Outputs output = {};
  kernels.winograd_multiply_i16(
      {.v = v.data(), .u = u.data(), .channels = Conv::kChannels, .output = output.data(), .grid = Conv::kGrid},
      operands.epilogue(), {0, Conv::kTiles, 0, Conv::kPanels});
  return output;
}

Outputs run_max_pool_i16(const Kernels& kernels) {
  constexpr size_t kPixels = (2 * Conv::kHeight + 1) * (2 * Conv::kWidth + 1);
  const auto input = integers<kPixels * Conv::kOutputs, 1>();
  Outputs output = {};
  kernels.max_pool_i16(input.data(), (2 * Conv::kWidth + 1) * Conv::kOutputs, output.data(), Conv::kGrid);
  return output;
}

}  // namespace

namespace checks {

bool convolve_i16(const Kernels& kernels, const Kernels& definition) {
  const StaticOperands operands;
  return operands.good && run_convolve_i16(kernels, operands) == run_convolve_i16(definition, operands);
}

// Segments have an odd length, so that they are padded.
bool widen_panels(const Kernels& kernels, const Kernels& definition) {
  constexpr size_t kLength = 7;
  PairedMatrix weights(Conv::kOutputs, 2, kLength);
  for (size_t row = 0; row < Conv::kOutputs; ++row) {
    const std::array<int8_t, 2 * kLength> values = {1, 2, -3, 4, -128, 127, static_cast<int8_t>(row)};
    if (!weights.append_row(values)) return false;
  }
  if (!weights.set_zero_point(3)) return false;
  Integers<Conv::kPanels * 2 * (kLength + 1) * kPanelRows> a = {}, b = {};
  kernels.widen_panels(weights, 0, Conv::kPanels, a.data());
  definition.widen_panels(weights, 0, Conv::kPanels, b.data());
  return a == b;
}

// The bytes are as they were, or 128 is subtracted from them.
bool interleave_windows(const Kernels& kernels, const Kernels& definition) {
  const ByteOperands operands;
  ByteOperands::Windows expected = operands.windows(definition);
  const ByteOperands::Windows windows = operands.windows(kernels);
  if (windows == expected) return true;
  for (uint8_t& byte : expected) byte ^= 128;
  return windows == expected;
}

bool interleave_panels(const Kernels& kernels, const Kernels& definition) {
  const ByteOperands operands;
  return operands.good && operands.panels(kernels) == operands.panels(definition);
}

bool convolve_i8(const Kernels& kernels, const Kernels& definition) {
  const ByteOperands operands;
  return operands.convolution(kernels) == operands.convolution(definition);
}

bool winograd_input_i16(const Kernels& kernels, const Kernels& definition) {
  const StaticOperands operands;
  Integers<Conv::kTiles * kWinogradTaps * Conv::kChannels> a = {}, b = {};
  kernels.winograd_input_i16(operands.input.data(), Conv::kWinogradTiles, a.data());
  definition.winograd_input_i16(operands.input.data(), Conv::kWinogradTiles, b.data());
  return a == b;
}

bool winograd_weights_i16(const Kernels& kernels, const Kernels& definition) {
  const StaticOperands operands;
  if (!operands.good) return false;
  Integers<Conv::kPanels * kWinogradTaps * static_tap_values(Conv::kChannels)> a = {}, b = {};
  kernels.winograd_weights_i16(operands.weights, Conv::kChannels, 0, Conv::kPanels, a.data());
  definition.winograd_weights_i16(operands.weights, Conv::kChannels, 0, Conv::kPanels, b.data());
  return a == b;
}

bool winograd_multiply_i16(const Kernels& kernels, const Kernels& definition) {
  const StaticOperands operands;
  return run_winograd_multiply_i16(kernels, operands) == run_winograd_multiply_i16(definition, operands);
}

bool max_pool_i16(const Kernels& kernels, const Kernels& definition) {
  return run_max_pool_i16(kernels) == run_max_pool_i16(definition);
}

bool quantize_static(const Kernels& kernels, const Kernels& definition) {
  auto x = numbers<203>();
  // Halves, of which the first would become the second by adding 1/2.
  std::copy_n(std::array{0x1.fffffep-10f, 0x1p-9f, -0x1p-9f, 0x1.8p-8f, NAN, INFINITY}.data(), 6, x.data());
  Integers<203> a = {}, b = {};
  kernels.quantize_static(x.data(), x.size(), 0x1p-8f, 77, a.data());
  definition.quantize_static(x.data(), x.size(), 0x1p-8f, 77, b.data());
  return a == b;
}

}  // namespace checks

}  // namespace quintet
