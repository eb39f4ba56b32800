#include "runtime/convert/calibration/histogram.h"

#include <algorithm>
#include <limits>

namespace quintet {
namespace {

// The number of values, their sum, and the sum of their squares.
struct Moments {
  double count = 0, sum = 0, squares = 0;

  // Values distributed evenly over a bin.
  void add(double values, double middle, double width) {
    count += values;
    sum += values * middle;
    squares += values * (middle * middle + width * width / 12);
  }

  // The squared distances of all values to a point.
  double distances_to(double point) const { return squares - 2 * point * sum + point * point * count; }
};

}  // namespace

double Histogram::bin_width() const { return (double{range_.upper} - double{range_.lower}) / kBins; }

void Histogram::add(std::span<const float> values) {
  ActivationRange wider = range_;
  for (const float value : values) wider.include(value);
  if (wider.lower < range_.lower || wider.upper > range_.upper) widen(wider);
  if (range_.lower == range_.upper) return;

  const double bins_per_unit = 1 / bin_width();
  for (const float value : values) {
    if (value == 0) continue;
    const auto bin = static_cast<size_t>((double{value} - double{range_.lower}) * bins_per_unit);
    counts_[std::min(bin, kBins - 1)] += 1;
  }
}

void Histogram::widen(const ActivationRange& range) {
  const Histogram old = *this;
  range_ = range;
  std::ranges::fill(counts_, 0.0);
  const double bins_per_unit = 1 / bin_width();
  const double width = old.bin_width() * bins_per_unit;  // of an old bin, in new ones: at most one
  for (size_t i = 0; i < kBins; ++i) {
    if (old.counts_[i] == 0) continue;
    const double begin = (old.edge(i) - double{range_.lower}) * bins_per_unit;
    const size_t first = std::min(static_cast<size_t>(begin), kBins - 1);
    const double beyond = std::clamp((begin + width - static_cast<double>(first + 1)) / width, 0.0, 1.0);
    counts_[first] += old.counts_[i] * (1 - beyond);
    counts_[std::min(first + 1, kBins - 1)] += old.counts_[i] * beyond;
  }
}

ActivationRange Histogram::best_range() const {
  const double width = bin_width();
  if (width == 0) return range_;
  std::vector<Moments> below(kBins + 1);  // of the values in bins [0, i)
  for (size_t i = 0; i < kBins; ++i) {
    below[i + 1] = below[i];
    below[i + 1].add(counts_[i], edge(i) + width / 2, width);
  }
  std::vector<Moments> above(kBins + 1);  // in [i, kBins)
  for (size_t i = kBins; i > 0; --i) {
    above[i - 1] = above[i];
    above[i - 1].add(counts_[i - 1], edge(i - 1) + width / 2, width);
  }

  // Every pair of edges around zero.
  const auto zero = std::min(static_cast<size_t>(-double{range_.lower} / width), kBins - 1);  // the bin of zero
  ActivationRange best = range_;
  double min = std::numeric_limits<double>::infinity();
  for (size_t begin = 0; begin <= zero; ++begin) {
    const double lower = std::min(edge(begin), 0.0);
    const double clipped_below = below[begin].distances_to(lower);
    for (size_t end = zero + 1; end <= kBins; ++end) {
      const double upper = std::max(edge(end), 0.0);
      const double inside = above[0].count - below[begin].count - above[end].count;
      const double step = (upper - lower) / 255;
      const double error = clipped_below + above[end].distances_to(upper) + inside * step * step / 12;
      if (error < min) {
        min = error;
        best = {.lower = static_cast<float>(lower), .upper = static_cast<float>(upper)};
      }
    }
  }
  return best;
}

}  // namespace quintet
