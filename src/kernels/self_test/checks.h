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

// The functions without a template are not inlined, because every module contains the checks.
[[gnu::noinline]] inline void fill_numbers(float* values, size_t count, float scale) {
  Sequence sequence;
  for (size_t i = 0; i < count; ++i) values[i] = sequence.next() * scale;
}

// The fixed numbers, times `scale`.
template <size_t kCount>
std::array<float, kCount> numbers(float scale = 1) {
  std::array<float, kCount> values;
  fill_numbers(values.data(), kCount, scale);
  return values;
}

// Rounding errors here are below 1e-5; a wrong instruction causes far larger ones.
[[gnu::noinline]] inline bool near(const float* a, const float* b, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!(std::fabs(a[i] - b[i]) <= 1e-4f)) return false;
  }
  return true;
}

template <size_t kCount>
bool near(const std::array<float, kCount>& a, const std::array<float, kCount>& b) {
  return near(a.data(), b.data(), kCount);
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
