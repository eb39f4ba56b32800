#pragma once
// How the values of an activation are distributed, and the range within which 256 steps represent
// them best.

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/convert/calibration/activation_range.h"

namespace quintet {

class Histogram {
 public:
  static constexpr size_t kBins = 2048;

  // Finite values.
  void add(std::span<const float> values);

  // The range of all values so far.
  const ActivationRange& range() const { return range_; }

  // The part of it, in whole bins, that makes the mean squared error of clipping and rounding
  // least. Within a bin values count as evenly spread, and rounding to steps of s costs s^2/12;
  // exact zeros cost nothing and are left out, since half of an activation behind a ReLU is zero.
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
