// Resized positions, against a bicubic interpolation written out for one place at a time.

#include "models/vision/positions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace quintet::vision {
namespace {

// The kernel of Keys 1981, as the polynomials of its two pieces.
double weight(double distance, double a = -0.75) {
  const double x = std::fabs(distance);
  if (x < 1) return (a + 2) * std::pow(x, 3) - (a + 3) * std::pow(x, 2) + 1;
  if (x < 2) return a * (std::pow(x, 3) - 5 * std::pow(x, 2) + 8 * x - 4);
  return 0;
}

// Interpolates between the pixels of a grid with repeated edges.
double interpolated(const std::vector<float>& grid, int side, int channels, double y, double x, int c) {
  double sum = 0;
  const auto first = [](double place) { return static_cast<int>(std::floor(place)) - 1; };
  for (int row = first(y); row < first(y) + 4; ++row) {
    for (int column = first(x); column < first(x) + 4; ++column) {
      const int inside = std::clamp(row, 0, side - 1) * side + std::clamp(column, 0, side - 1);
      sum += weight(y - row) * weight(x - column) * double{grid[static_cast<size_t>(inside * channels + c)]};
    }
  }
  return sum;
}

std::vector<float> numbers(size_t count) {
  std::mt19937 engine{3};
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(engine() % 2001) / 1000 - 1;
  return values;
}

TEST(Positions, EqualABicubicInterpolation) {
  constexpr int kChannels = 3;
  for (const int side : {1, 2, 3, 7}) {
    const std::vector<float> grid = numbers(static_cast<size_t>(side * side * kChannels));
    for (const auto& [height, width] : {std::pair(1, 1), std::pair(2, 5), std::pair(7, 7), std::pair(9, 4)}) {
      const auto resized = resize_positions(grid, static_cast<size_t>(side), static_cast<size_t>(height),
                                            static_cast<size_t>(width), kChannels, Resizing::bicubic);
      ASSERT_TRUE(resized);
      ASSERT_EQ(resized->size(), static_cast<size_t>(height * width * kChannels));
      for (int i = 0; i < height * width * kChannels; ++i) {
        const int row = i / kChannels / width, column = i / kChannels % width;
        // The centers of the pixels of both grids are spread evenly over the same square.
        const double y = (row + 0.5) * side / height - 0.5, x = (column + 0.5) * side / width - 0.5;
        ASSERT_NEAR(double{(*resized)[static_cast<size_t>(i)]},
                    interpolated(grid, side, kChannels, y, x, i % kChannels), 2e-7)
            << side << " to " << height << " x " << width << ", " << i;
      }
    }
  }
}

// Every pixel of the grid has a share in the new place, by its distance in pixels of the smaller of both grids.
double averaged(const std::vector<float>& column, double center, double scale) {
  const int side = static_cast<int>(column.size());
  double sum = 0, shares = 0;
  for (int place = 0; place < side; ++place) {
    const double share = weight((place - center) / std::max(scale, 1.0), -0.5);
    sum += share * double{column[static_cast<size_t>(place)]};
    shares += share;
  }
  return sum / shares;
}

TEST(Positions, AntialiasedAreAveraged) {
  for (const int side : {1, 4, 9}) {
    for (const int height : {1, 3, 4, 12}) {
      // Constant in each row, so that columns do not matter.
      const std::vector<float> column = numbers(static_cast<size_t>(side));
      std::vector<float> grid;
      for (const float value : column) grid.insert(grid.end(), static_cast<size_t>(side), value);
      const auto resized =
          resize_positions(grid, static_cast<size_t>(side), static_cast<size_t>(height), 2, 1, Resizing::antialiased);
      ASSERT_TRUE(resized);
      for (int row = 0; row < height; ++row) {
        const double scale = static_cast<double>(side) / height, center = (row + 0.5) * scale - 0.5;
        for (const size_t x : {0U, 1U}) {
          ASSERT_NEAR(double{(*resized)[static_cast<size_t>(row) * 2 + x]}, averaged(column, center, scale), 3e-7)
              << side << " to " << height << ", " << row;
        }
      }
    }
  }
}

TEST(Positions, OfTheSameSizeStayAsTheyAre) {
  const std::vector<float> grid = numbers(5 * 5 * 4);
  const auto resized = resize_positions(grid, 5, 5, 5, 4, Resizing::bicubic);
  ASSERT_TRUE(resized);
  EXPECT_TRUE(std::ranges::equal(resized->span(), grid));
}

TEST(Positions, LargerThanMemoryAreAnError) {
  const std::vector<float> grid(4);
  const auto resized = resize_positions(grid, 2, size_t{1} << 31, size_t{1} << 31, 1, Resizing::bicubic);
  ASSERT_FALSE(resized);
  EXPECT_EQ(resized.error().code, Code::memory);
}

}  // namespace
}  // namespace quintet::vision
