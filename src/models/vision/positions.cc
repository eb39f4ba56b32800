#include "models/vision/positions.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace quintet::vision {
namespace {

constexpr size_t kTaps = 4;

// The four old places around a new one, and their weights.
struct Taps {
  size_t places[kTaps];
  double weights[kTaps];
};

// Keys 1981, with PyTorch's a = -0.75.
double cubic(double x) {
  constexpr double kA = -0.75;
  x = std::abs(x);
  if (x <= 1) return ((kA + 2) * x - (kA + 3)) * x * x + 1;
  return x < 2 ? ((kA * x - 5 * kA) * x + 8 * kA) * x - 4 * kA : 0;
}

std::vector<Taps> taps_of(size_t from, size_t to) {
  std::vector<Taps> all(to);
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  for (size_t i = 0; i < to; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale - 0.5, first = std::floor(center) - 1;
    for (size_t tap = 0; tap < kTaps; ++tap) {
      const double place = first + static_cast<double>(tap);
      all[i].places[tap] = static_cast<size_t>(std::clamp(place, 0.0, static_cast<double>(from - 1)));
      all[i].weights[tap] = cubic(center - place);
    }
  }
  return all;
}

}  // namespace

Result<AlignedBuffer<float>> resize_positions(std::span<const float> grid, size_t side, size_t height, size_t width,
                                              size_t channels) {
  AlignedBuffer<float> resized;
  QUINTET_CHECK(resized.resize_uninitialized(uint64_t{height} * width * channels));
  const std::vector<Taps> rows = taps_of(side, height), columns = taps_of(side, width);
  std::vector<double> sums(channels);
  float* to = resized.data();
  for (const Taps& row : rows) {
    for (const Taps& column : columns) {
      std::ranges::fill(sums, 0.0);
      for (size_t y = 0; y < kTaps; ++y) {
        for (size_t x = 0; x < kTaps; ++x) {
          const float* const from = grid.data() + (row.places[y] * side + column.places[x]) * channels;
          const double weight = row.weights[y] * column.weights[x];
          for (size_t c = 0; c < channels; ++c) sums[c] += weight * double{from[c]};
        }
      }
      for (const double sum : sums) *to++ = static_cast<float>(sum);
    }
  }
  return resized;
}

}  // namespace quintet::vision
