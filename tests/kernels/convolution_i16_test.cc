// Statically quantized convolutions against sums in 64 bits and their own account of the epilogue.

#include "tests/kernels/static_operands.h"

#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

constexpr ConvShape kShapes[] = {
    {1, 1, 1, 1, 1, 1},  {3, 5, 7, 2, 3, 4},  {5, 8, 3, 1, 4, 6},   {8, 21, 3, 2, 5, 3},
    {7, 16, 1, 2, 3, 9}, {6, 9, 1, 1, 1, 11}, {64, 10, 1, 1, 1, 1}, {12, 33, 3, 1, 2, 13},
};

std::vector<int16_t> run_convolve(const Kernels& kernels, const StaticConvolution& c, const ConvTile& tile) {
  std::vector<int16_t> panels((tile.panel_end - tile.panel_begin) * c.weights.panel_values());
  kernels.widen_panels(c.weights, tile.panel_begin, tile.panel_end, panels.data());
  std::vector<int16_t> output(c.shape.output_values(), kUntouchedActivation);
  kernels.convolve_i16({.input = c.input.data(),
                        .view = c.shape.view(),
                        .w = c.weights,
                        .panels = panels.data(),
                        .output = output.data(),
                        .grid = c.shape.grid()},
                       c.epilogue, tile);
  return output;
}

std::vector<int16_t> run_convolve(const Kernels& kernels, const StaticConvolution& c) {
  return run_convolve(kernels, c, {0, c.shape.height * c.shape.width, 0, c.shape.panels()});
}

class ConvolutionI16 : public EachVariant {};

TEST_P(ConvolutionI16, EqualsSumsIn64Bits) {
  Random random(1);
  for (const ConvShape& shape : kShapes) {
    for (const StaticRange range : kStaticRanges) {
      for (const bool residual : {false, true}) {
        const StaticConvolution c(shape, range, residual, random);
        ASSERT_EQ(run_convolve(kernels(), c), expected_outputs(c)) << ::testing::PrintToString(shape);
      }
    }
  }
}

TEST_P(ConvolutionI16, LongWindowsAtTheEndsOfTheRangeAreExact) {
  Random random(2);
  for (const StaticRange range : kStaticRanges) {
    const StaticConvolution c({512, 8, 3, 1, 2, 3}, range, false, random);
    ASSERT_EQ(run_convolve(kernels(), c), expected_outputs(c));
  }
}

TEST_P(ConvolutionI16, AnOutputIsTheSameInAnyTile) {
  Random random(3);
  const StaticConvolution c({6, 45, 3, 1, 5, 7}, StaticRange::any, true, random);
  const std::vector<int16_t> all = run_convolve(kernels(), c);
  const OutputGrid grid = c.shape.grid();
  for (size_t begin = 0; begin < grid.height * grid.width; ++begin) {
    const size_t end = std::min(begin + static_cast<size_t>(random.integer(1, 12)), grid.height * grid.width);
    const size_t panel = static_cast<size_t>(random.integer(0, 5));
    const size_t panel_end = std::min<size_t>(panel + static_cast<size_t>(random.integer(1, 3)), 6);
    const std::vector<int16_t> part = run_convolve(kernels(), c, {begin, end, panel, panel_end});
    std::vector<int16_t> expected(part.size(), kUntouchedActivation);
    for (size_t i = begin; i < end; ++i) {
      for (size_t n = panel * 8; n < std::min<size_t>(panel_end * 8, 45); ++n)
        expected[grid.offset(i) + n] = all[grid.offset(i) + n];
    }
    ASSERT_EQ(part, expected) << begin << " to " << end;
  }
}

// A window of one value 1 and the weight s give the sum s.
std::vector<int16_t> of_sums(const Kernels& kernels, const StaticEpilogue& epilogue) {
  constexpr size_t kSums = 255;
  PairedMatrix weights(kSums, 1, 1);
  for (int s = -127; s <= 127; ++s) {
    const int8_t value = static_cast<int8_t>(s);
    EXPECT_TRUE(weights.append_row({&value, 1}));
  }
  EXPECT_TRUE(weights.set_zero_point(0));
  std::vector<int16_t> panels(weights.panels() * weights.panel_values());
  kernels.widen_panels(weights, 0, weights.panels(), panels.data());
  const std::vector<int16_t> input = {1, 0};
  std::vector<int16_t> output(kSums);
  kernels.convolve_i16({.input = input.data(),
                        .view = {1, 1, 1, 1, 1, 1},
                        .w = weights,
                        .panels = panels.data(),
                        .output = output.data(),
                        .grid = {1, 1, kSums, kSums}},
                       epilogue, {0, 1, 0, weights.panels()});
  return output;
}

TEST_P(ConvolutionI16, HalvesAreRoundedAwayFromZero) {
  const std::vector<int32_t> bias(255);
  const std::vector<int16_t> halves = of_sums(kernels(), {.bias = bias.data(), .multiplier = 0.5f, .zero_point = 100});
  for (int s = -127; s <= 127; ++s) {
    const int away = s < 0 ? -((1 - s) / 2) : (s + 1) / 2;
    EXPECT_EQ(halves[static_cast<size_t>(s + 127)], away) << s;
  }
  // Just below a half, where adding 1/2 would reach the next integer.
  const float below = 0x1.fffffep-2f;
  EXPECT_EQ(of_sums(kernels(), {.bias = bias.data(), .multiplier = below, .zero_point = 100})[128], 0);
  EXPECT_EQ(of_sums(kernels(), {.bias = bias.data(), .multiplier = below, .zero_point = 100})[126], 0);
  EXPECT_EQ(of_sums(kernels(), {.bias = bias.data(), .multiplier = below, .zero_point = 100})[130], 1);
}

TEST_P(ConvolutionI16, HalvesOfABlocksSumAreRoundedAwayFromZero) {
  const std::vector<int32_t> bias(255);
  const std::vector<int16_t> residual(255, 7);
  StaticEpilogue epilogue = {.bias = bias.data(), .zero_point = 128, .residual = residual.data(), .sum_scale = 2};
  const std::vector<int16_t> sums = of_sums(kernels(), epilogue);
  for (int s = -127; s <= 127; ++s) EXPECT_EQ(sums[static_cast<size_t>(s + 127)], s + 7 <= 0 ? 0 : (s + 8) / 2) << s;
  // 1/3 of it is not what division by 3 gives.
  epilogue.sum_scale = 3;
  epilogue.scale = 1.1f;
  epilogue.residual_scale = 0.7f;
  const std::vector<int16_t> thirds = of_sums(kernels(), epilogue);
  for (int s = -127; s <= 127; ++s) {
    const float sum = 1.1f * static_cast<float>(s) + 0.7f * 7.0f;
    EXPECT_EQ(thirds[static_cast<size_t>(s + 127)], std::max(0, static_cast<int>(std::round(sum / 3.0f)))) << s;
  }
}

TEST_P(ConvolutionI16, ValuesBeyondTheRangeAreClamped) {
  const std::vector<int32_t> bias(255);
  for (const float multiplier : {1e9f, 3e38f}) {
    const std::vector<int16_t> q = of_sums(kernels(), {.bias = bias.data(), .multiplier = multiplier, .zero_point = 3});
    for (size_t i = 0; i < 127; ++i) EXPECT_EQ(q[i], -3);
    EXPECT_EQ(q[127], 0);
    for (size_t i = 128; i < 255; ++i) EXPECT_EQ(q[i], 252);
  }
  // least: where a ReLU follows.
  const std::vector<int16_t> q = of_sums(kernels(), {.bias = bias.data(), .zero_point = 9, .min = 9});
  for (int s = -127; s <= 127; ++s) EXPECT_EQ(q[static_cast<size_t>(s + 127)], std::max(s, 0));
}

TEST_P(ConvolutionI16, WidenedPanelsAreWeightsLessTheirZeroPoint) {
  Random random(4);
  for (const size_t length : {1, 2, 7, 12}) {
    constexpr size_t kRows = 19, kSegments = 3;
    PairedMatrix weights(kRows, kSegments, length);
    std::vector<int8_t> values(kRows * kSegments * length);
    for (int8_t& value : values) value = static_cast<int8_t>(random.integer(-128, 127));
    for (size_t row = 0; row < kRows; ++row)
      ASSERT_TRUE(weights.append_row(std::span(values).subspan(row * kSegments * length, kSegments * length)));
    const std::vector<float> scales(kRows * kSegments);
    std::vector<int32_t> zero_points(kRows * kSegments);
    for (int32_t& zero : zero_points) zero = random.integer(-kMaxZeroPoint, kMaxZeroPoint);
    ASSERT_TRUE(weights.set_groups(scales, zero_points));

    std::vector<int16_t> out(2 * weights.panel_values(), kUntouchedActivation);
    kernels().widen_panels(weights, 1, 3, out.data());
    const size_t pairs = weights.pairs();
    for (size_t i = 0; i < out.size(); ++i) {
      const size_t row = 8 + i / weights.panel_values() * 8 + i % 16 / 2;
      const size_t segment = i % weights.panel_values() / (pairs * 16);
      const size_t column = i / 16 % pairs * 2 + i % 2;
      const size_t group = row * kSegments + segment;
      const bool exists = row < kRows && column < length;
      ASSERT_EQ(out[i], exists ? values[group * length + column] - zero_points[group] : 0) << i;
    }
  }
}

QUINTET_FOR_EACH_VARIANT(ConvolutionI16);

}  // namespace
}  // namespace quintet::testing
