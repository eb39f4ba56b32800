#include <cmath>
#include <limits>
#include <span>

#include "tests/kernels/convolution_operands.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

constexpr float kUntouched = 12345;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct QuantizedWindows {
  bool operator==(const QuantizedWindows& other) const { return q == other.q && same_bits(scales, other.scales); }

  std::vector<int16_t> q;
  std::vector<float> scales;
};

size_t padded(size_t group) { return group + group % 2; }

QuantizedWindows room_for(const ConvShape& s, size_t group, size_t windows) {
  const size_t groups = windows * s.window() / group;
  return {std::vector<int16_t>(groups * padded(group), 77), std::vector<float>(groups, kUntouched)};
}

// Windows [begin, end).
QuantizedWindows quantize(const Kernels& kernels, const ConvShape& s, const std::vector<float>& input, size_t group,
                          bool asymmetric, size_t begin, size_t end) {
  QuantizedWindows result = room_for(s, group, end - begin);
  kernels.quantize_im2col({.input = input.data(),
                           .view = s.view(),
                           .groups = {.channels = s.channels, .group = group, .asymmetric = asymmetric},
                           .begin = begin,
                           .end = end,
                           .q = result.q.data(),
                           .scales = result.scales.data()});
  return result;
}

QuantizedWindows quantize(const Kernels& kernels, const ConvShape& s, const std::vector<float>& input, size_t group,
                          bool asymmetric) {
  return quantize(kernels, s, input, group, asymmetric, 0, s.height * s.width);
}

// A window as the rows of im2col have it.
std::vector<float> im2col(const ConvShape& s, const std::vector<float>& input, size_t window) {
  std::vector<float> values;
  const size_t first = window / s.width * s.stride * s.input_row() + window % s.width * s.stride * s.channels;
  for (size_t channel = 0; channel < s.channels; ++channel) {
    for (size_t y = 0; y < s.kernel; ++y) {
      for (size_t x = 0; x < s.kernel; ++x) {
        values.push_back(input[first + y * s.input_row() + x * s.channels + channel]);
      }
    }
  }
  return values;
}

// The formulas of the format, and integers of 16 bits: a scale is not below the 32512th part of the magnitude.
void quantize_group(std::span<const float> x, bool asymmetric, QuantizedWindows& to) {
  const auto [min, max] = std::ranges::minmax(x);
  const float largest = std::fmax(std::fabs(min), std::fabs(max));
  float scale = largest / 127;
  int zero_point = 0;
  if (asymmetric) {
    scale = std::fmax(max == min ? 1e-4f : (max - min) / 255, largest / 32512);
    zero_point = static_cast<int>(std::round(-128 - min / scale));
  }
  for (const float value : x) {
    const int q = scale == 0 ? 0 : static_cast<int>(std::round(value / scale)) + zero_point;
    to.q.push_back(static_cast<int16_t>(std::clamp(q, -128, 127) - zero_point));
  }
  if (x.size() % 2 != 0) to.q.push_back(0);
  to.scales.push_back(scale);
}

std::vector<size_t> divisors(size_t number) {
  std::vector<size_t> all;
  for (size_t d = 1; d <= number; ++d) {
    if (number % d == 0) all.push_back(d);
  }
  return all;
}

// Every gathering, with its ends; a group of the last ones does not fit what is gathered at once.
const ConvShape kWindowShapes[] = {
    {1, 1, 1, 1, 2, 3},  {20, 1, 1, 2, 3, 2}, {1, 1, 2, 1, 3, 3},   {3, 1, 7, 2, 2, 3},
    {4, 1, 5, 1, 2, 2},  {1, 1, 3, 1, 2, 3},  {3, 1, 3, 2, 2, 2},   {4, 1, 3, 1, 3, 3},
    {5, 1, 3, 1, 2, 2},  {6, 1, 3, 2, 1, 2},  {7, 1, 3, 1, 2, 1},   {12, 1, 3, 1, 2, 2},
    {13, 1, 3, 1, 1, 2}, {64, 1, 3, 1, 1, 2}, {520, 1, 3, 1, 1, 2}, {5000, 1, 1, 1, 1, 2}};

class GroupQuantizedWindows : public EachVariant {
 protected:
  template <class Check>
  void for_all_groups(Check check) {
    for (const ConvShape& shape : kWindowShapes) {
      for (const size_t group : divisors(shape.window())) {
        for (const bool asymmetric : {false, true}) check(shape, group, asymmetric);
      }
    }
  }
};

// With neighbors like those after a ReLU: many zeros.
std::vector<float> activations(const ConvShape& s, Random& random) {
  std::vector<float> values = random.numbers(s.input_values());
  if (random.integer(0, 1) == 1) {
    for (float& value : values) value = std::fmax(value, 0.0f);
  }
  return values;
}

TEST_P(GroupQuantizedWindows, EqualTheFormula) {
  Random random(1);
  for_all_groups([&](const ConvShape& s, size_t group, bool asymmetric) {
    const std::vector<float> input = activations(s, random);
    QuantizedWindows expected;
    for (size_t window = 0; window < s.height * s.width; ++window) {
      const std::vector<float> values = im2col(s, input, window);
      for (size_t i = 0; i < values.size(); i += group) {
        quantize_group(std::span(values).subspan(i, group), asymmetric, expected);
      }
    }
    ASSERT_TRUE(quantize(kernels(), s, input, group, asymmetric) == expected)
        << ::testing::PrintToString(s) << ", groups of " << group << (asymmetric ? ", asymmetric" : "");
  });
}

TEST_P(GroupQuantizedWindows, AreTheSameInAnyPart) {
  Random random(2);
  const ConvShape s = {6, 1, 3, 1, 3, 5};
  const std::vector<float> input = random.numbers(s.input_values());
  const QuantizedWindows all = quantize(kernels(), s, input, 27, true);
  for (size_t begin = 0; begin < 15; ++begin) {
    for (size_t end = begin; end <= 15; ++end) {
      const QuantizedWindows part = quantize(kernels(), s, input, 27, true, begin, end);
      EXPECT_TRUE(std::ranges::equal(part.q, std::span(all.q).subspan(begin * 2 * 28, (end - begin) * 2 * 28)));
      EXPECT_TRUE(std::ranges::equal(part.scales, std::span(all.scales).subspan(begin * 2, (end - begin) * 2)));
    }
  }
}

// One window of one group.
QuantizedWindows quantize(const Kernels& kernels, const std::vector<float>& group, bool asymmetric) {
  ConvShape s = {group.size(), 1, 1, 1, 1, 1};
  std::vector<float> input = group;
  input.resize(s.input_values());
  return quantize(kernels, s, input, group.size(), asymmetric);
}

// Steps of 1, so that x / scale is x.
TEST_P(GroupQuantizedWindows, HalvesAreRoundedAwayFromZero) {
  const float below = std::nextafter(0.5f, 0.0f);
  const QuantizedWindows symmetric = quantize(
      kernels(), {127, 0.5f, -0.5f, below, -below, 1.5f, -1.5f, 2.5f, -2.5f, std::nextafter(2.5f, 0.0f)}, false);
  EXPECT_EQ(symmetric.scales[0], 1);
  EXPECT_EQ(symmetric.q, (std::vector<int16_t>{127, 1, -1, 0, 0, 2, -2, 3, -3, 2}));
  const QuantizedWindows asymmetric = quantize(kernels(), {-128, 127, 126.5f, 0.5f, -0.5f, -127.5f}, true);
  EXPECT_EQ(asymmetric.scales[0], 1);
  EXPECT_EQ(asymmetric.q, (std::vector<int16_t>{-128, 127, 127, 1, -1, -128}));
}

TEST_P(GroupQuantizedWindows, GroupsWithoutWidthHaveTheScaleOfTheFormat) {
  const QuantizedWindows zeros = quantize(kernels(), std::vector<float>(9), false);
  EXPECT_EQ(zeros.scales[0], 0);
  EXPECT_EQ(zeros.q, std::vector<int16_t>(10));
  const QuantizedWindows constant = quantize(kernels(), std::vector<float>(9, 0.75f), true);
  EXPECT_EQ(constant.scales[0], 1e-4f);
  EXPECT_EQ(constant.q, (std::vector<int16_t>{7500, 7500, 7500, 7500, 7500, 7500, 7500, 7500, 7500, 0}));
}

// However far from 0, and however narrow.
TEST_P(GroupQuantizedWindows, IntegersStandForTheValuesWithinHalfAStep) {
  Random random(3);
  for (int exponent = -120; exponent <= 120; exponent += 3) {
    for (const float width : {0.0f, 1e-6f, 1e-3f, 0.01f, 1.0f}) {
      for (const float sign : {-1.0f, 1.0f}) {
        std::vector<float> x(19);
        for (float& value : x) value = sign * std::ldexp(1 + width * random.number(), exponent);
        const QuantizedWindows group = quantize(kernels(), x, true);
        ASSERT_TRUE(group == quantize(scalar_kernels(), x, true));
        const double scale = double{group.scales[0]};
        for (size_t i = 0; i < x.size(); ++i) {
          ASSERT_NEAR(group.q[i] * scale, double{x[i]}, scale * 1.001 + std::fabs(double{x[i]}) * 0x1p-14);
        }
      }
    }
  }
}

TEST_P(GroupQuantizedWindows, NonFiniteGroupsBecomeNan) {
  for (const bool asymmetric : {false, true}) {
    for (const float wrong : {kNaN, -kNaN, kInfinity, -kInfinity}) {
      for (size_t at = 0; at < 11; ++at) {
        std::vector<float> x(11, 0.5f);
        x[at] = wrong;
        const QuantizedWindows group = quantize(kernels(), x, asymmetric);
        EXPECT_TRUE(std::isnan(group.scales[0]));
        EXPECT_EQ(group.q, std::vector<int16_t>(12));
      }
    }
  }
}

TEST_P(GroupQuantizedWindows, TheLargestAndSmallestNumbersEqualTheDefinition) {
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr float kMin = std::numeric_limits<float>::denorm_min();
  for (const bool asymmetric : {false, true}) {
    for (const std::vector<float>& x : {std::vector<float>{kMax, -kMax, 1},
                                        {kMax, kMax, kMax},
                                        {kMin, 0, -kMin},
                                        {190 * kMin, 0, 3 * kMin},
                                        {50000 * kMin, 49000 * kMin},
                                        {-0.0f, 0.0f}}) {
      EXPECT_TRUE(quantize(kernels(), x, asymmetric) == quantize(scalar_kernels(), x, asymmetric));
    }
  }
}

QUINTET_FOR_EACH_VARIANT(GroupQuantizedWindows);

// Windows and weights that are already quantized.
struct GroupQuantizedProduct {
  // `extreme`: at the ends of what a group of 64 can have.
  GroupQuantizedProduct(size_t windows_, size_t outputs_, size_t groups_, size_t group_, Random& random,
                        bool extreme = false)
      : windows(windows_), outputs(outputs_), groups(groups_), group(group_), packed(outputs_, groups_, group_) {
    const auto integer = [&](int max) {
      return extreme ? max * (2 * random.integer(0, 1) - 1) : random.integer(-max, max);
    };
    for (size_t i = 0; i < windows * groups; ++i) {
      for (size_t j = 0; j < group; ++j) q.push_back(static_cast<int16_t>(integer(extreme ? 32000 : 255)));
      if (group % 2 != 0) q.push_back(0);
    }
    for (size_t i = 0; i < outputs * groups * group; ++i) weights.push_back(static_cast<int8_t>(integer(127)));
    for (size_t i = 0; i < outputs * groups; ++i) zero_points.push_back(extreme ? 0 : random.integer(-200, 200));
    scales = random.numbers(windows * groups);
    weight_scales = random.numbers(outputs * groups);
    bias = random.numbers(outputs);
    residual = random.numbers(output_values());
    for (size_t row = 0; row < outputs; ++row) {
      EXPECT_TRUE(packed.append_row(std::span(weights).subspan(row * groups * group, groups * group)));
    }
    EXPECT_TRUE(packed.set_groups(weight_scales, zero_points));
  }

  // Two lines, as far as they go.
  OutputGrid grid() const { return {2, width(), (width() + 1) * outputs + 3, outputs}; }
  size_t width() const { return (windows + 1) / 2; }
  size_t output_values() const { return 2 * grid().row_stride; }
  ConvTile whole() const { return {0, windows, 0, packed.panels()}; }

  std::vector<float> run(const Kernels& kernels, const FloatEpilogue& epilogue, const ConvTile& tile) const {
    std::vector<int16_t> panels((tile.panel_end - tile.panel_begin) * packed.panel_values());
    kernels.widen_panels(packed, tile.panel_begin, tile.panel_end, panels.data());
    std::vector<float> output(output_values(), kUntouched);
    const size_t first = tile.begin * groups;
    kernels.convolve_group_quantized({.q = q.data() + first * padded(group),
                                      .scales = scales.data() + first,
                                      .w = packed,
                                      .panels = panels.data(),
                                      .output = output.data(),
                                      .grid = grid()},
                                     epilogue, tile);
    return output;
  }
  std::vector<float> run(const Kernels& kernels, const FloatEpilogue& epilogue) const {
    return run(kernels, epilogue, whole());
  }

  // Computed by the formula, float step by float step.
  float sum(size_t window, size_t output) const {
    float total = 0;
    for (size_t g = 0; g < groups; ++g) {
      int64_t dot = 0;
      for (size_t i = 0; i < group; ++i) {
        dot += int64_t{q[(window * groups + g) * padded(group) + i]} *
               (weights[(output * groups + g) * group + i] - zero_points[output * groups + g]);
      }
      const float scaled = static_cast<float>(dot) * scales[window * groups + g];
      const float term = scaled * weight_scales[output * groups + g];
      total = total + term;
    }
    return total;
  }

  size_t windows, outputs, groups, group;
  std::vector<int16_t> q;
  std::vector<int8_t> weights;
  std::vector<int32_t> zero_points;
  std::vector<float> scales, weight_scales, bias, residual;
  PairedMatrix packed;
};

class GroupQuantizedProducts : public EachVariant {
 protected:
  template <class Check>
  void for_all_sizes(Check check) {
    for (size_t windows = 1; windows <= 12; ++windows) {
      for (const size_t outputs : {1, 3, 8, 13, 24}) {
        for (const size_t group : {1, 2, 5, 9, 64}) check(windows, outputs, size_t{3}, group);
      }
    }
  }
};

TEST_P(GroupQuantizedProducts, EqualTheFormulaBitForBit) {
  Random random(4);
  for_all_sizes([&](size_t windows, size_t outputs, size_t groups, size_t group) {
    const GroupQuantizedProduct product(windows, outputs, groups, group, random, random.integer(0, 3) == 0);
    std::vector<float> expected(product.output_values(), kUntouched);
    for (size_t window = 0; window < windows; ++window) {
      for (size_t n = 0; n < outputs; ++n) expected[product.grid().offset(window) + n] = product.sum(window, n);
    }
    ASSERT_TRUE(same_bits(product.run(kernels(), {}), expected))
        << windows << " windows, " << outputs << " outputs, groups of " << group;
  });
}

TEST_P(GroupQuantizedProducts, BiasResidualAndReluFollowInThisOrder) {
  Random random(5);
  const GroupQuantizedProduct product(7, 19, 2, 6, random);
  for (int parts = 0; parts < 8; ++parts) {
    const bool bias = (parts & 1) != 0, residual = (parts & 2) != 0, relu = (parts & 4) != 0;
    std::vector<float> expected(product.output_values(), kUntouched);
    for (size_t window = 0; window < product.windows; ++window) {
      for (size_t n = 0; n < product.outputs; ++n) {
        const size_t at = product.grid().offset(window) + n;
        float y = product.sum(window, n);
        if (bias) y += product.bias[n];
        if (residual) y += product.residual[at];
        expected[at] = relu && y < 0 ? 0 : y;
      }
    }
    const FloatEpilogue epilogue = {.bias = bias ? product.bias.data() : nullptr,
                                    .residual = residual ? product.residual.data() : nullptr,
                                    .min = relu ? 0 : -std::numeric_limits<float>::infinity()};
    EXPECT_TRUE(same_bits(product.run(kernels(), epilogue), expected)) << parts;
  }
}

TEST_P(GroupQuantizedProducts, AnyTileHasTheSameBits) {
  Random random(6);
  const GroupQuantizedProduct product(13, 29, 2, 10, random);
  const std::vector<float> all = product.run(kernels(), {});
  for (int i = 0; i < 100; ++i) {
    const auto begin = static_cast<size_t>(random.integer(0, 12));
    const auto end = static_cast<size_t>(random.integer(static_cast<int>(begin), 13));
    const auto panel_begin = static_cast<size_t>(random.integer(0, 3));
    const auto panel_end = static_cast<size_t>(random.integer(static_cast<int>(panel_begin), 4));
    const std::vector<float> part = product.run(kernels(), {}, {begin, end, panel_begin, panel_end});
    std::vector<float> expected(product.output_values(), kUntouched);
    for (size_t window = begin; window < end; ++window) {
      for (size_t n = panel_begin * kPanelRows; n < std::min(panel_end * kPanelRows, product.outputs); ++n) {
        expected[product.grid().offset(window) + n] = all[product.grid().offset(window) + n];
      }
    }
    ASSERT_EQ(part, expected) << begin << ", " << end << ", " << panel_begin << ", " << panel_end;
  }
}

// Where the scale of a group is not a number, so are the outputs, after a ReLU too; other windows stay.
TEST_P(GroupQuantizedProducts, NonFiniteWindowsGiveNan) {
  Random random(7);
  GroupQuantizedProduct product(5, 9, 3, 4, random);
  const FloatEpilogue epilogue = {.min = 0};
  const std::vector<float> clean = product.run(kernels(), epilogue);
  product.scales[2 * product.groups + 1] = kNaN;
  const std::vector<float> output = product.run(kernels(), epilogue);
  for (size_t window = 0; window < product.windows; ++window) {
    for (size_t n = 0; n < product.outputs; ++n) {
      const size_t at = product.grid().offset(window) + n;
      if (window == 2) {
        EXPECT_TRUE(std::isnan(output[at]));
      } else {
        EXPECT_EQ(output[at], clean[at]);
      }
    }
  }
}

QUINTET_FOR_EACH_VARIANT(GroupQuantizedProducts);

}  // namespace
}  // namespace quintet::testing
