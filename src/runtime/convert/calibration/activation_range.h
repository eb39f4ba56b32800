#pragma once
// From the range of an activation to the affine bytes that stand for it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "formats/layer_table.h"

namespace quintet {

// Holds 0 always: padding and what a ReLU cuts off must be exact.
struct ActivationRange {
  float lower = 0;
  float upper = 0;

  void include(float value) {
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }

  // All of 0..255 is used. A range without extent, of an activation that is always zero, has the
  // smallest scale that PyTorch gives.
  ActivationQuantization quantization() const {
    const double extent = double{upper} - double{lower};
    const float scale = std::max(static_cast<float>(extent / 255), std::numeric_limits<float>::epsilon());
    const float zero_point = std::nearbyint(-lower / scale);  // in float, as PyTorch
    return {.scale = scale, .zero_point = static_cast<int32_t>(std::min(zero_point, 255.0F))};
  }
};

}  // namespace quintet
