// The depthwise convolution and the other kernels of whole channels, against their formulas in double.

#include "kernels/depthwise_f32.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/kernels/convolution_operands.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

struct Parts {
  bool residual = false;
  float min = -std::numeric_limits<float>::infinity(), max = std::numeric_limits<float>::infinity();
};

// A window for each channel: as many outputs as channels.
struct Depthwise {
  Depthwise(const ConvShape& shape_, const Parts& parts, Random& random)
      : shape(shape_),
        input(random.numbers(shape.input_values())),
        weight(random.numbers(shape.kernel * shape.kernel * shape.channels)),
        bias(random.numbers(shape.channels)),
        residual(random.numbers(shape.output_values())) {
    epilogue.bias = bias.data();
    if (parts.residual) epilogue.residual = residual.data();
    epilogue.min = parts.min;
    epilogue.max = parts.max;
  }

  // Rows up to each of `ends` in its own call.
  void compute(const Kernels& kernels, const std::vector<size_t>& ends, std::vector<float>& output) const {
    const OutputGrid grid = shape.grid();
    size_t begin = 0;
    for (const size_t end : ends) {
      kernels.depthwise_f32({.input = input.data(),
                             .row_stride = shape.input_row(),
                             .kernel = shape.kernel,
                             .stride = shape.stride,
                             .weight = weight.data(),
                             .output = output.data(),
                             .grid = grid},
                            epilogue, begin, end);
      begin = end;
    }
  }
  std::vector<float> compute(const Kernels& kernels, const std::vector<size_t>& ends) const {
    std::vector<float> output(shape.output_values(), kUntouched);
    compute(kernels, ends, output);
    return output;
  }

  ConvShape shape;
  std::vector<float> input, weight, bias, residual;
  FloatEpilogue epilogue;
};

Exact exact_output(const Depthwise& d, size_t y, size_t x, size_t c) {
  const ConvShape& s = d.shape;
  Exact sum = {0, 0};
  for (size_t ky = 0; ky < s.kernel; ++ky) {
    for (size_t kx = 0; kx < s.kernel; ++kx) {
      const size_t pixel = (y * s.stride + ky) * s.input_row() + (x * s.stride + kx) * s.channels;
      const double product = double{d.input[pixel + c]} * double{d.weight[(ky * s.kernel + kx) * s.channels + c]};
      sum = {sum.value + product, sum.magnitudes + std::fabs(product)};
    }
  }
  sum.value += double{d.bias[c]};
  if (d.epilogue.residual != nullptr) sum.value += double{d.residual[y * s.grid().row_stride + x * s.channels + c]};
  sum.value = std::clamp(sum.value, double{d.epilogue.min}, double{d.epilogue.max});
  return sum;
}

void expect_right(const Depthwise& d, const std::vector<float>& output) {
  // Each product and each addition rounds.
  const double roundings = static_cast<double>(d.shape.kernel * d.shape.kernel) + 1;
  expect_outputs(d.shape, output, roundings, [&](size_t y, size_t x, size_t c) { return exact_output(d, y, x, c); });
}

class DepthwiseF32 : public EachVariant {};

TEST_P(DepthwiseF32, EqualsTheFormula) {
  Random random(1);
  for (const size_t kernel : {1, 2, 3, 4, 5, 7}) {
    for (const size_t stride : {1, 2, 3}) {
      for (const size_t channels : {1, 3, 4, 5, 8, 13, 16}) {
        for (const size_t width : {1, 3, 4, 9}) {
          const Depthwise d({channels, channels, kernel, stride, 2, width}, {}, random);
          expect_right(d, d.compute(kernels(), {2}));
        }
      }
    }
  }
}

TEST_P(DepthwiseF32, AddsBiasAndResidualAndClamps) {
  Random random(2);
  for (const bool residual : {false, true}) {
    for (const Parts& bounds : {Parts{}, Parts{.min = 0}, Parts{.min = 0, .max = 0.5F}, Parts{.max = 0.25F}}) {
      for (const size_t channels : {2, 8, 11}) {
        for (const size_t width : {3, 4, 6, 8}) {
          Parts parts = bounds;
          parts.residual = residual;
          const Depthwise d({channels, channels, 3, 1, 3, width}, parts, random);
          expect_right(d, d.compute(kernels(), {3}));
        }
      }
    }
  }
}

TEST_P(DepthwiseF32, GivesTheSameBitsInParts) {
  Random random(3);
  for (const size_t kernel : {3, 4, 5}) {
    for (const size_t stride : {1, 2}) {
      const Depthwise d({6, 6, kernel, stride, 7, 5}, {.residual = true, .min = 0, .max = 6}, random);
      const std::vector<float> whole = d.compute(kernels(), {7});
      EXPECT_TRUE(same_bits(d.compute(kernels(), {1, 2, 3, 4, 5, 6, 7}), whole));
      EXPECT_TRUE(same_bits(d.compute(kernels(), {0, 3, 3, 7}), whole));
    }
  }
}

TEST_P(DepthwiseF32, WritesOnlyTheRequestedRows) {
  Random random(4);
  const Depthwise d({5, 5, 3, 1, 4, 6}, {}, random);
  const size_t row = d.shape.grid().row_stride;
  const std::vector<float> some = d.compute(kernels(), {1});
  EXPECT_EQ(std::count(some.begin() + static_cast<ptrdiff_t>(row), some.end(), kUntouched),
            static_cast<ptrdiff_t>(3 * row));
}

TEST_P(DepthwiseF32, TheResidualMayBeTheOutput) {
  Random random(5);
  for (const size_t channels : {3, 4, 9}) {
    Depthwise d({channels, channels, 3, 1, 3, 5}, {.residual = true}, random);
    const std::vector<float> expected = d.compute(kernels(), {3});
    std::vector<float> output = d.residual;
    d.epilogue.residual = output.data();
    d.compute(kernels(), {3}, output);
    const OutputGrid grid = d.shape.grid();
    for (size_t i = 0; i < output.size(); ++i) {
      const bool inside = i % grid.row_stride < grid.width * channels;
      ASSERT_EQ(output[i], inside ? expected[i] : d.residual[i]) << i;
    }
  }
}

TEST_P(DepthwiseF32, NanStaysInTheWindowsThatContainIt) {
  Random random(6);
  for (const size_t channels : {3, 8}) {
    Depthwise d({channels, channels, 3, 1, 5, 6}, {.min = 0, .max = 6}, random);
    const size_t row = 3, column = 4, channel = 1;
    d.input[row * d.shape.input_row() + column * channels + channel] = NAN;
    const std::vector<float> output = d.compute(kernels(), {5});
    const OutputGrid grid = d.shape.grid();
    for (size_t y = 0; y < grid.height; ++y) {
      for (size_t i = 0; i < grid.width * channels; ++i) {
        const size_t x = i / channels;
        const bool sees = i % channels == channel && y <= row && row < y + 3 && x <= column && column < x + 3;
        ASSERT_EQ(std::isnan(output[y * grid.row_stride + i]), sees) << y << ", " << x << ", " << i % channels;
      }
    }
  }
}

QUINTET_FOR_EACH_VARIANT(DepthwiseF32);

class Channels : public EachVariant {};

TEST_P(Channels, SumsAreAddedToThoseOfOtherRows) {
  Random random(7);
  for (const size_t cols : {1, 3, 4, 7, 8, 19}) {
    for (const bool squares : {false, true}) {
      constexpr size_t kRows = 11;
      const size_t stride = cols + 2;
      const std::vector<float> x = random.numbers(kRows * stride), before = random.numbers(cols);
      std::vector<float> sums = before;
      sums.push_back(kUntouched);
      kernels().sum_channels(
          {.x = {x.data(), stride}, .rows = kRows, .cols = cols, .squares = squares, .sums = sums.data()});
      for (size_t c = 0; c < cols; ++c) {
        double sum = double{before[c]};
        for (size_t r = 0; r < kRows; ++r) {
          const double value = double{x[r * stride + c]};
          sum += squares ? value * value : value;
        }
        ASSERT_NEAR(double{sums[c]}, sum, 0x1p-24 * 2 * (kRows + 1) * kRows) << c;
      }
      EXPECT_EQ(sums.back(), kUntouched);
    }
  }
}

TEST_P(Channels, AreScaledAndShifted) {
  Random random(8);
  for (const size_t cols : {1, 3, 4, 7, 8, 19}) {
    for (const bool has_bias : {false, true}) {
      constexpr size_t kRows = 5;
      const size_t stride = cols + 3;
      const std::vector<float> before = random.numbers(kRows * stride), factors = random.numbers(cols),
                               bias = random.numbers(cols);
      std::vector<float> x = before;
      kernels().scale_channels({.x = {x.data(), stride},
                                .rows = kRows,
                                .cols = cols,
                                .factors = factors.data(),
                                .bias = has_bias ? bias.data() : nullptr});
      for (size_t i = 0; i < x.size(); ++i) {
        const size_t c = i % stride;
        if (c >= cols) {
          ASSERT_EQ(x[i], before[i]) << "beyond the row";
          continue;
        }
        const double exact = double{before[i]} * double{factors[c]} + (has_bias ? double{bias[c]} : 0);
        ASSERT_NEAR(double{x[i]}, exact, 0x1p-23) << i;
      }
    }
  }
}

QUINTET_FOR_EACH_VARIANT(Channels);

}  // namespace
}  // namespace quintet::testing
