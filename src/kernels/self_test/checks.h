#pragma once
// The checks of the self-test, one for each row of the list, and their common parts: fixed numbers and comparisons.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "kernels/kernels.h"

namespace quintet {

// Whether a kernel computes the results of the definition. It may call other kernels that are above it in the list.
namespace checks {
#define QUINTET_CHECK_OF(kernel, type, sets, source) bool kernel(const Kernels& kernels, const Kernels& definition);
QUINTET_KERNELS(QUINTET_CHECK_OF)
#undef QUINTET_CHECK_OF
}  // namespace checks

// Fixed numbers in [-1, 1).
class Sequence {
 public:
  uint32_t next_bits() { return state_ = state_ * 1664525u + 1013904223u; }
  float next() { return static_cast<float>(next_bits() >> 8) * 0x1p-23f - 1; }

 private:
  uint32_t state_ = 20240229;
};

template <size_t kCount>
std::array<float, kCount> numbers() {
  std::array<float, kCount> values;
  Sequence sequence;
  for (float& value : values) value = sequence.next();
  return values;
}

// Rounding errors here are below 1e-5; a wrong instruction causes far larger ones.
inline bool near(std::span<const float> a, std::span<const float> b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) <= 1e-4f)) return false;
  }
  return true;
}

inline bool same(std::span<const float> a, std::span<const float> b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// The convolution for the checks. Its sizes are odd: tiles wrap to the next line and extend beyond the map, and the
// last panel is not full.
template <size_t kInputChannels, size_t kOutputChannels>
struct OddConvolution {
  static constexpr size_t kWidth = 5;
  static constexpr size_t kHeight = 3;
  static constexpr size_t kChannels = kInputChannels;
  static constexpr size_t kOutputs = kOutputChannels;
  static constexpr size_t kPositions = kHeight * kWidth;
  static constexpr size_t kMapOutputs = kPositions * kOutputs;
  static constexpr size_t kPanels = (kOutputs + kPanelRows - 1) / kPanelRows;
  static constexpr size_t kWindow = 9 * kChannels;
  static constexpr size_t kTilesInRow = (kWidth + 1) / 2;
  static constexpr size_t kTiles = kTilesInRow * ((kHeight + 1) / 2);

  static constexpr size_t kRowStride = (kWidth + 3) * kChannels;
  static constexpr size_t kInput = (kHeight + 3) * kRowStride;
  static constexpr Im2colView kView = {3, 3 * kChannels, kRowStride, kChannels, kRowStride, kWidth};
  static constexpr OutputGrid kGrid = {kHeight, kWidth, kWidth* kOutputs, kOutputs};
  static constexpr WinogradTiles kWinogradTiles = {kRowStride, kChannels, kTilesInRow, 0, kTiles};
};

}  // namespace quintet
