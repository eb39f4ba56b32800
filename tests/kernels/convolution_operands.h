#pragma once
// Convolutions for tests: sizes, and what follows from them.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <ostream>
#include <vector>

#include "kernels/convolution.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::testing {

// Over a map whose pixels, border included, are all given. Its rows, and those of the outputs, have a pixel more than
// windows reach.
struct ConvShape {
  size_t channels, outputs, kernel, stride, height, width;  // height and width of the outputs

  size_t input_row() const { return ((width - 1) * stride + kernel + 1) * channels; }
  size_t input_values() const { return ((height - 1) * stride + kernel + 1) * input_row(); }
  size_t window() const { return kernel * kernel * channels; }
  size_t panels() const { return (outputs + kPanelRows - 1) / kPanelRows; }
  size_t tiles_in_row() const { return (width + 1) / 2; }
  size_t tiles() const { return tiles_in_row() * ((height + 1) / 2); }

  Im2colView view() const {
    return {kernel, kernel * channels, input_row(), stride * channels, stride * input_row(), width};
  }
  OutputGrid grid() const { return {height, width, (width + 1) * outputs, outputs}; }
  size_t output_values() const { return height * grid().row_stride; }
};

inline void PrintTo(const ConvShape& s, std::ostream* out) {
  *out << s.channels << " channels, " << s.outputs << " outputs, kernel " << s.kernel << ", stride " << s.stride << ", "
       << s.height << " x " << s.width;
}

// The expected output, and the sum of the magnitudes of its terms.
struct Exact {
  double value, magnitudes;
};

// The value that outputs have before they are computed.
constexpr float kUntouched = 12345;

// Each output is exact(y, x, channel) except for rounding, and nothing is written outside the map. `roundings`: by how
// many units of the last place of the sum of magnitudes an output may be off.
template <class ExactOutput>
void expect_outputs(const ConvShape& shape, const std::vector<float>& output, double roundings,
                    ExactOutput exact_output) {
  constexpr double kUnit = 0x1p-24;
  const OutputGrid grid = shape.grid();
  for (size_t y = 0; y < grid.height; ++y) {
    for (size_t i = 0; i < grid.row_stride; ++i) {
      const float got = output[y * grid.row_stride + i];
      if (i >= grid.width * grid.channels) {
        ASSERT_EQ(got, kUntouched) << "beyond the map";
        continue;
      }
      const Exact exact = exact_output(y, i / grid.channels, i % grid.channels);
      const double allowed = kUnit * (exact.magnitudes * roundings + 4 * (2 + std::fabs(exact.value)));
      ASSERT_NEAR(double{got}, exact.value, allowed) << ::testing::PrintToString(shape) << ", channel "
                                                     << i % grid.channels << " at " << y << ", " << i / grid.channels;
    }
  }
}

}  // namespace quintet::testing
