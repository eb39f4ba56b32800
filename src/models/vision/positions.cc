#include "models/vision/positions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace quintet::vision {
namespace {

// An old place that a new one includes, and its weight.
struct Tap {
  size_t place;
  double weight;
};
using Taps = std::vector<Tap>;

// Keys 1981, "Cubic convolution interpolation for digital image processing", with its parameter a.
double cubic(double x, double a) {
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

// Four places; those outside of the grid are its edge.
Taps taps_at(double center, size_t from) {
  constexpr double kA = -0.75;
  Taps taps;
  const double first = std::floor(center) - 1;
  for (double place = first; place < first + 4; ++place) {
    const double inside = std::clamp(place, 0.0, static_cast<double>(from - 1));
    taps.push_back({static_cast<size_t>(inside), cubic(center - place, kA)});
  }
  return taps;
}

// The places of the grid that a new one covers.
Taps antialiased_taps_at(double center, double scale, size_t from) {
  constexpr double kA = -0.5, kReach = 2;
  const double stretch = std::max(scale, 1.0);
  const double begin = std::max(std::floor(center - kReach * stretch + 1), 0.0);
  const double end = std::min(std::floor(center + kReach * stretch + 1), static_cast<double>(from));
  Taps taps;
  double sum = 0;
  for (double place = begin; place < end; ++place) {
    taps.push_back({static_cast<size_t>(place), cubic((place - center) / stretch, kA)});
    sum += taps.back().weight;
  }
  for (Tap& tap : taps) tap.weight /= sum;
  return taps;
}

std::vector<Taps> taps_of(size_t from, size_t to, Resizing resizing) {
  std::vector<Taps> all(to);
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  for (size_t i = 0; i < to; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale - 0.5;
    all[i] = resizing == Resizing::antialiased ? antialiased_taps_at(center, scale, from) : taps_at(center, from);
  }
  return all;
}

}  // namespace

namespace {

// The functions of the C library would be a twentieth of the module; these are exact to 1e-13.

// root^degree = value, which is above 1, by Newton's method from above.
double root_of(double value, size_t degree) {
  const auto n = static_cast<double>(degree);
  for (double root = value;;) {
    double power = 1;
    for (size_t i = 1; i < degree; ++i) power *= root;
    const double next = ((n - 1) * root + value / power) / n;
    if (!(next < root)) return root;
    root = next;
  }
}

struct Turn {
  double cosine, sine;
};

// The angle, up to 2 pi, is halved until short series are exact.
Turn turn_by(double angle) {
  constexpr int kHalvings = 6;
  const double x = angle / (1 << kHalvings), x2 = x * x;
  Turn turn = {1 - x2 / 2 * (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56))),
               x * (1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72))))};
  for (int i = 0; i < kHalvings; ++i) {
    const auto [cosine, sine] = turn;
    turn = {cosine * cosine - sine * sine, 2 * sine * cosine};
  }
  return turn;
}

}  // namespace

Result<AlignedBuffer<float>> grid_angles(size_t height, size_t width, size_t head_dim, double theta) {
  const size_t waves = head_dim / 4, pairs = head_dim / 2;
  AlignedBuffer<float> angles;
  QUINTET_CHECK(angles.resize_uninitialized(uint64_t{height} * width * head_dim));
  const auto place = [](size_t i, size_t count) {
    return 2 * (static_cast<double>(i) + 0.5) / static_cast<double>(count) - 1;
  };
  const double ratio = root_of(theta, waves);
  float* to = angles.data();
  for (size_t patch = 0; patch < height * width; ++patch, to += head_dim) {
    size_t pair = 0;
    for (const double along : {place(patch / width, height), place(patch % width, width)}) {
      double wave = 1;
      for (size_t i = 0; i < waves; ++i, ++pair, wave *= ratio) {
        const Turn turn = turn_by(2 * std::numbers::pi * along / wave);
        to[pair] = static_cast<float>(turn.cosine);
        to[pairs + pair] = static_cast<float>(turn.sine);
      }
    }
  }
  return angles;
}

Result<AlignedBuffer<float>> resize_positions(std::span<const float> grid, size_t side, size_t height, size_t width,
                                              size_t channels, Resizing resizing) {
  AlignedBuffer<float> resized;
  QUINTET_CHECK(resized.resize_uninitialized(uint64_t{height} * width * channels));
  const std::vector<Taps> rows = taps_of(side, height, resizing), columns = taps_of(side, width, resizing);
  std::vector<double> sums(channels);
  float* to = resized.data();
  for (const Taps& row : rows) {
    for (const Taps& column : columns) {
      std::ranges::fill(sums, 0.0);
      for (const Tap& y : row) {
        for (const Tap& x : column) {
          const float* const from = grid.data() + (y.place * side + x.place) * channels;
          const double weight = y.weight * x.weight;
          for (size_t c = 0; c < channels; ++c) sums[c] += weight * double{from[c]};
        }
      }
      for (const double sum : sums) *to++ = static_cast<float>(sum);
    }
  }
  return resized;
}

}  // namespace quintet::vision
