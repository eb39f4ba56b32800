#pragma once
// The range of an activation's values, and the part of it that 256 steps represent best.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "formats/layer_table.h"

namespace quintet {

// The range of an activation and its affine representation in bytes. It always contains 0, because padding, and what a
// ReLU cuts off, must be exact.
struct ActivationRange {
  float lower = 0;
  float upper = 0;

  void include(float value) {
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }

  // Uses the full range 0..255. An activation that is always zero gets the same minimum scale as in PyTorch.
  ActivationQuantization quantization() const {
    const double extent = double{upper} - double{lower};
    const float scale = std::max(static_cast<float>(extent / 255), std::numeric_limits<float>::epsilon());
    const float zero_point = std::nearbyint(-lower / scale);  // in float, as in PyTorch
    return {.scale = scale, .zero_point = static_cast<int32_t>(std::min(zero_point, 255.0F))};
  }
};

// The distribution of the values.
class Histogram {
 public:
  static constexpr size_t kBins = 2048;

  // Finite values.
  void add(std::span<const float> values);

  // The range of all values so far.
  const ActivationRange& range() const { return range_; }

  // The part of it, in whole bins, with the least mean squared error from clipping and rounding. Values are assumed to
  // be distributed evenly in a bin, so that rounding to steps of s costs s^2/12. Exact zeros cost nothing and are left
  // out: after a ReLU they are about half of all values.
  ActivationRange best_range() const;

 private:
  double bin_width() const;
  double edge(size_t i) const { return double{range_.lower} + static_cast<double>(i) * bin_width(); }
  // Spreads the counts over the bins of a wider range.
  void widen(const ActivationRange& range);

  ActivationRange range_;
  std::vector<double> counts_ = std::vector<double>(kBins);
};

}  // namespace quintet
