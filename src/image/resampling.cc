#include "image/resampling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quintet {
namespace {

// sin(pi x), within a few digits of the last place. The C library's sine reduces any angle to this range, which takes
// more code than all of resizing.
double sine_of_half_turns(double x) {
  const double whole = std::nearbyint(x);
  const double angle = (x - whole) * std::numbers::pi;
  double term = angle, sum = angle;
  for (int n = 2; n <= 22; n += 2) {
    term *= -angle * angle / (n * (n + 1));
    sum += term;
  }
  return static_cast<int>(whole) % 2 == 0 ? sum : -sum;
}

double sinc(double x) { return x == 0 ? 1 : sine_of_half_turns(x) / (x * std::numbers::pi); }

// The filters of Pillow's src/libImaging/Resample.c, for |x|, but the box, which has its right edge alone.

double box(double x) { return -0.5 < x && x <= 0.5 ? 1 : 0; }

double bilinear(double x) { return std::max(0.0, 1 - std::abs(x)); }

double hamming(double x) {
  x = std::abs(x);
  if (x >= 1) return 0;
  const double cosine = sine_of_half_turns(x + 0.5);
  return sinc(x) * (double{0.54F} + double{0.46F} * cosine);  // PIL's constants are floats
}

double bicubic(double x) {
  constexpr double kA = -0.5;
  x = std::abs(x);
  if (x < 1) return ((kA + 2) * x - (kA + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * kA : 0;
}

double lanczos(double x) { return std::abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0; }

struct Filter {
  double (*weight)(double x);
  double support;  // half of its width, in samples of the coarser grid
};
// In the order of ResizeFilter. Nearest is not a filter.
constexpr Filter kFilters[] = {{nullptr, 0}, {lanczos, 3}, {bilinear, 1}, {bicubic, 2}, {box, 0.5}, {hamming, 1}};

int32_t fixed_point(double weight) {
  return static_cast<int32_t>((weight < 0 ? -0.5 : 0.5) + weight * (1 << kWeightBits));
}

}  // namespace

// PIL advances from sample to sample by adding the scale, which rounds every time. Beyond kMaxPixels it fails.
Status Resampling::take_nearest(const ResampledAxis& axis, double scale) {
  const uint64_t skipped = std::min(axis.begin, kMaxPixels);
  double position = scale * 0.5;
  for (uint64_t i = 0; i < skipped; ++i) position += scale;
  position += static_cast<double>(axis.begin - skipped) * scale;
  QUINTET_CHECK(weights_.resize(axis.count));
  for (uint32_t i = 0; i < axis.count; ++i) {
    begins_[i] = static_cast<uint32_t>(std::min(static_cast<uint64_t>(position), axis.length - 1));
    offsets_[i + 1] = i + 1;
    weights_[i] = 1 << kWeightBits;
    position += scale;
  }
  return {};
}

Result<Resampling> Resampling::make(const ResampledAxis& axis, ResizeFilter filter) {
  const Filter& row = kFilters[static_cast<size_t>(filter)];
  const double scale = static_cast<double>(axis.length) / static_cast<double>(axis.scaled);
  const double coarser = std::max(scale, 1.0);
  const double radius = row.support * coarser;
  const double inverse = 1 / coarser;  // PIL multiplies by it, which rounds differently from a division

  Resampling result;
  QUINTET_CHECK(result.begins_.resize(axis.count));
  QUINTET_CHECK(result.offsets_.resize(uint64_t{axis.count} + 1));
  if (!row.weight) {
    QUINTET_CHECK(result.take_nearest(axis, scale));
    return result;
  }
  const uint64_t max_weights = static_cast<uint64_t>(2 * radius) + 2;  // of a new sample
  if (max_weights > 4 * kMaxPixels / axis.count) {
    return input_error(Reason::limit, "a side of {} pixels is too long to be scaled to {}", axis.length, axis.scaled);
  }
  QUINTET_CHECK(result.weights_.reserve(axis.count * max_weights));
  AlignedBuffer<double> weights;
  QUINTET_CHECK(weights.resize_uninitialized(max_weights));
  for (uint32_t i = 0; i < axis.count; ++i) {
    const double center = (static_cast<double>(axis.begin + i) + 0.5) * scale;
    const uint64_t begin = static_cast<uint64_t>(std::max(0.0, center - radius + 0.5));
    const uint64_t end = std::min(static_cast<uint64_t>(center + radius + 0.5), axis.length);
    const size_t count = static_cast<size_t>(end - begin);
    double sum = 0;
    for (size_t s = 0; s < count; ++s) {
      weights[s] = row.weight((static_cast<double>(begin + s) - center + 0.5) * inverse);
      sum += weights[s];
    }

    const size_t offset = result.weights_.size();
    QUINTET_CHECK(result.weights_.resize(offset + count));
    for (size_t s = 0; s < count; ++s) {
      result.weights_[offset + s] = fixed_point(sum == 0 ? weights[s] : weights[s] / sum);
    }
    result.begins_[i] = static_cast<uint32_t>(begin);
    result.offsets_[i + 1] = result.weights_.size();
  }
  return result;
}

uint32_t Resampling::end() const {
  const Source last = source(static_cast<uint32_t>(begins_.size() - 1));
  return last.begin + static_cast<uint32_t>(last.weights.size());
}

}  // namespace quintet
