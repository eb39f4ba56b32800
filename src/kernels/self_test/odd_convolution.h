#pragma once
// The convolution that checks of self_test() compute. Its sizes are odd: tiles wrap to the next line and reach beyond
// the map, the last panel is not full.

#include "kernels/self_test/checks.h"

namespace quintet {

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
