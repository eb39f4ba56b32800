#pragma once
// Pictures as they come from decoders and callers: 8-bit samples, interleaved, rows from the top.

#include <cstdint>
#include <span>

#include "base/result.h"

namespace quintet {

constexpr uint64_t kMaxPixels = uint64_t{64} << 20;

struct Pixels {
  std::span<const uint8_t> samples;  // [height][width][channels]
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t channels = 0;  // 1 gray, 3 RGB, 4 RGB and alpha
};

// An error of the caller where the picture is empty, larger than kMaxPixels, has another number of channels, or does
// not have width x height x channels samples.
Status check_pixels(const Pixels& pixels);

}  // namespace quintet
