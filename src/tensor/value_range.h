#pragma once
// The range of a tensor or group that is quantized with an offset. All values are finite.

#include <algorithm>
#include <span>

namespace quintet {

struct ValueRange {
  float min = 0;
  float max = 0;
};

// Requires at least one value.
inline ValueRange range_of(std::span<const float> values) {
  ValueRange range = {.min = values[0], .max = values[0]};
  for (const float value : values) {
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
  }
  return range;
}

}  // namespace quintet
