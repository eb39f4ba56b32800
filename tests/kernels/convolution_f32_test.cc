#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/kernels/convolution_operands.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

struct Parts {
  bool bias = false, residual = false, relu = false;
};

struct FloatConvolution {
  FloatConvolution(const ConvShape& shape_, const Parts& parts, Random& random)
      : shape(shape_),
        input(random.numbers(shape.input_values())),
        weights(random.numbers(shape.outputs * shape.window())),
        bias(random.numbers(shape.outputs)),
        residual(random.numbers(shape.output_values())),
        packed(Storage::f32, shape.outputs, shape.window()) {
    EXPECT_TRUE(packed.append_rows(bytes_of(weights.data()), shape.outputs));
    if (parts.bias) epilogue.bias = bias.data();
    if (parts.residual) epilogue.residual = residual.data();
    if (parts.relu) epilogue.min = 0;
  }

  ConvShape shape;
  std::vector<float> input, weights, bias, residual;
  PackedMatrix packed;
  FloatEpilogue epilogue;
};

// Output n at (y, x), by the formula.
Exact exact_output(const FloatConvolution& c, size_t y, size_t x, size_t n) {
  const ConvShape& s = c.shape;
  Exact sum = {0, 0};
  for (size_t ky = 0; ky < s.kernel; ++ky) {
    for (size_t kx = 0; kx < s.kernel; ++kx) {
      for (size_t channel = 0; channel < s.channels; ++channel) {
        const size_t pixel = (y * s.stride + ky) * s.input_row() + (x * s.stride + kx) * s.channels;
        const size_t weight = ((n * s.kernel + ky) * s.kernel + kx) * s.channels;
        const double product = double{c.input[pixel + channel]} * double{c.weights[weight + channel]};
        sum = {sum.value + product, sum.magnitudes + std::fabs(product)};
      }
    }
  }
  if (c.epilogue.bias != nullptr) sum.value += double{c.bias[n]};
  if (c.epilogue.residual != nullptr) {
    sum.value += double{c.residual[y * s.grid().row_stride + x * s.outputs + n]};
  }
  sum.value = std::clamp(sum.value, double{c.epilogue.min}, double{c.epilogue.max});
  return sum;
}

// `roundings`: as for expect_outputs().
void expect_right(const FloatConvolution& c, const std::vector<float>& output, double roundings) {
  expect_outputs(c.shape, output, roundings, [&](size_t y, size_t x, size_t n) { return exact_output(c, y, x, n); });
}

// Ways to divide `count` things; each is a list of ends.
std::vector<std::vector<size_t>> divisions(size_t count, Random& random) {
  std::vector<std::vector<size_t>> all = {{count}, {}, {}};
  for (size_t end = 1; end <= count; ++end) all[1].push_back(end);
  for (size_t end = 0; end < count;) {
    end = std::min(count, end + static_cast<size_t>(random.integer(1, 9)));
    all[2].push_back(end);
  }
  return all;
}

// visit(begin, end, panel_begin, panel_end) of a grid of parts.
template <class Visit>
void for_each_part(const std::vector<size_t>& ends, const std::vector<size_t>& panel_ends, Visit visit) {
  size_t panel_begin = 0;
  for (const size_t panel_end : panel_ends) {
    size_t begin = 0;
    for (const size_t end : ends) {
      visit(ConvTile{begin, end, panel_begin, panel_end});
      begin = end;
    }
    panel_begin = panel_end;
  }
}

class ConvolutionF32 : public EachVariant {
 protected:
  using Ends = std::vector<size_t>;

  void convolve_into(std::vector<float>& output, const FloatConvolution& c, const Ends& ends,
                     const Ends& panel_ends) const {
    for_each_part(ends, panel_ends, [&](const ConvTile& tile) {
      kernels().convolve_f32({.input = c.input.data(),
                              .view = c.shape.view(),
                              .w = c.packed,
                              .output = output.data(),
                              .grid = c.shape.grid()},
                             c.epilogue, tile);
    });
  }
  std::vector<float> convolve(const FloatConvolution& c, const Ends& ends, const Ends& panel_ends) const {
    std::vector<float> output(c.shape.output_values(), kUntouched);
    convolve_into(output, c, ends, panel_ends);
    return output;
  }
  std::vector<float> convolve(const FloatConvolution& c) const {
    return convolve(c, {c.shape.height * c.shape.width}, {c.shape.panels()});
  }

  // The whole algorithm, in parts.
  void winograd_into(std::vector<float>& output, const FloatConvolution& c, const Ends& ends,
                     const Ends& panel_ends) const {
    const ConvShape& s = c.shape;
    for_each_part(ends, panel_ends, [&](const ConvTile& tile) {
      std::vector<float> v((tile.end - tile.begin) * kWinogradTaps * s.channels);
      std::vector<float> u((tile.panel_end - tile.panel_begin) * kWinogradTaps * s.channels * kPanelRows);
      kernels().winograd_input_f32(c.input.data(), {s.input_row(), s.channels, s.tiles_in_row(), tile.begin, tile.end},
                                   v.data());
      kernels().winograd_weights_f32(c.packed, s.channels, tile.panel_begin, tile.panel_end, u.data());
      kernels().winograd_multiply_f32(
          {.v = v.data(), .u = u.data(), .channels = s.channels, .output = output.data(), .grid = s.grid()}, c.epilogue,
          tile);
    });
  }
  std::vector<float> winograd(const FloatConvolution& c, const Ends& ends, const Ends& panel_ends) const {
    std::vector<float> output(c.shape.output_values(), kUntouched);
    winograd_into(output, c, ends, panel_ends);
    return output;
  }
};

constexpr Parts kAllParts[] = {
    {}, {.bias = true}, {.bias = true, .relu = true}, {.residual = true, .relu = true}, {true, true, true}};

TEST_P(ConvolutionF32, EqualsTheFormulaAtAllSizes) {
  Random random(1);
  size_t i = 0;
  for (const size_t channels : {1, 3, 4, 13}) {
    for (const size_t outputs : {1, 7, 8, 9, 16, 37}) {
      for (const size_t kernel : {1, 2, 3, 7}) {
        const auto height = static_cast<size_t>(random.integer(1, 4)),
                   width = static_cast<size_t>(random.integer(1, 9));
        const ConvShape shape = {channels, outputs, kernel, 1 + i % 2, height, width};
        const FloatConvolution c(shape, kAllParts[i++ % 5], random);
        expect_right(c, convolve(c), static_cast<double>(shape.window()) + 3);
      }
    }
  }
}

TEST_P(ConvolutionF32, OneWindowIsALinearLayer) {
  Random random(2);
  for (const size_t outputs : {1, 8, 10, 31, 32, 33, 100}) {
    const FloatConvolution c({67, outputs, 1, 1, 1, 1}, {.bias = true}, random);
    expect_right(c, convolve(c), 70);
  }
}

TEST_P(ConvolutionF32, AnyDivisionGivesTheSameBits) {
  Random random(3);
  const ConvShape shapes[] = {{5, 45, 3, 1, 5, 7}, {3, 20, 7, 2, 4, 5}, {33, 19, 1, 2, 6, 3}};
  for (const ConvShape& shape : shapes) {
    const FloatConvolution c(shape, {true, true, true}, random);
    const std::vector<float> whole = convolve(c);
    for (const auto& ends : divisions(shape.height * shape.width, random)) {
      for (const auto& panel_ends : divisions(shape.panels(), random)) {
        EXPECT_TRUE(same_bits(convolve(c, ends, panel_ends), whole)) << ::testing::PrintToString(shape);
      }
    }
  }
}

TEST_P(ConvolutionF32, EmptyInputsGiveEmptyOutputs) {
  Random random(4);
  const FloatConvolution c({3, 9, 3, 1, 2, 2}, {}, random);
  for (const float value : convolve(c, {0}, {2})) EXPECT_EQ(value, kUntouched);
  for (const float value : winograd(c, {0}, {2})) EXPECT_EQ(value, kUntouched);
}

TEST_P(ConvolutionF32, NanStaysNanAfterARelu) {
  Random random(5);
  FloatConvolution c({4, 9, 3, 1, 2, 2}, {.bias = true, .relu = true}, random);
  c.bias[8] = std::numeric_limits<float>::quiet_NaN();
  for (const auto& output : {convolve(c), winograd(c, {1}, {2})}) {
    EXPECT_TRUE(std::isnan(output[8]));
    EXPECT_FALSE(std::isnan(output[7]));
  }
}

TEST_P(ConvolutionF32, TheResidualMayShareTheOutputsMemory) {
  Random random(10);
  FloatConvolution c({8, 21, 3, 1, 3, 5}, {true, true, true}, random);
  const auto check = [&](auto compute, const std::vector<float>& apart) {
    std::vector<float> output = c.residual;
    for (size_t i = 0; i < output.size(); ++i) {
      if (apart[i] == kUntouched) output[i] = kUntouched;
    }
    c.epilogue.residual = output.data();
    compute(output);
    EXPECT_TRUE(same_bits(output, apart));
  };
  const std::vector<float> direct = convolve(c), transformed = winograd(c, {c.shape.tiles()}, {c.shape.panels()});
  check([&](auto& output) { convolve_into(output, c, {15}, {3}); }, direct);
  check([&](auto& output) { winograd_into(output, c, {6}, {3}); }, transformed);
}

// Each transform adds a few roundings of sums of up to 16 input values and 9 weights; what matters is that errors stay
// in the order of those of the direct algorithm.
double winograd_roundings(const ConvShape& shape) { return 8 * (static_cast<double>(shape.window()) + 16); }

TEST_P(ConvolutionF32, WinogradEqualsTheFormulaAtAllSizes) {
  Random random(6);
  size_t i = 0;
  for (size_t height = 1; height <= 5; ++height) {
    for (size_t width = 1; width <= 9; ++width) {
      const size_t outputs[] = {1, 8, 13, 24};
      const ConvShape shape = {4 * (1 + i % 5), outputs[i % 4], 3, 1, height, width};
      const FloatConvolution c(shape, kAllParts[i++ % 5], random);
      expect_right(c, winograd(c, {shape.tiles()}, {shape.panels()}), winograd_roundings(shape));
    }
  }
}

TEST_P(ConvolutionF32, AnyDivisionOfWinogradGivesTheSameBits) {
  Random random(7);
  const ConvShape shape = {20, 45, 3, 1, 7, 9};
  const FloatConvolution c(shape, {true, true, true}, random);
  const std::vector<float> whole = winograd(c, {shape.tiles()}, {shape.panels()});
  expect_right(c, whole, winograd_roundings(shape));
  for (const auto& ends : divisions(shape.tiles(), random)) {
    for (const auto& panel_ends : divisions(shape.panels(), random)) {
      EXPECT_TRUE(same_bits(winograd(c, ends, panel_ends), whole));
    }
  }
}

// Neither fuses multiplications and additions, so that all variants agree bit for bit.
TEST_P(ConvolutionF32, WinogradTransformsAreThoseOfTheDefinition) {
  Random random(8);
  const FloatConvolution c({12, 20, 3, 1, 5, 7}, {}, random);
  const ConvShape& s = c.shape;
  const WinogradTiles tiles = {s.input_row(), s.channels, s.tiles_in_row(), 2, s.tiles()};
  const auto transform = [&](const Kernels& table) {
    std::vector<float> v((tiles.end - tiles.begin) * kWinogradTaps * s.channels);
    std::vector<float> u(2 * kWinogradTaps * s.channels * kPanelRows);
    table.winograd_input_f32(c.input.data(), tiles, v.data());
    table.winograd_weights_f32(c.packed, s.channels, 1, 3, u.data());
    v.insert(v.end(), u.begin(), u.end());
    return v;
  };
  EXPECT_TRUE(same_bits(transform(kernels()), transform(scalar_kernels())));
}

TEST_P(ConvolutionF32, MaxPoolTakesTheMaximumOfEachWindow) {
  Random random(9);
  for (const size_t channels : {1, 3, 4, 7, 16, 21}) {
    const ConvShape shape = {channels, channels, 3, 2, 3, 4};
    const std::vector<float> input = random.numbers(shape.input_values());
    const OutputGrid grid = shape.grid();
    std::vector<float> expected(shape.output_values(), kUntouched), output = expected;
    for (size_t y = 0; y < grid.height; ++y) {
      for (size_t i = 0; i < grid.width * channels; ++i) {
        float& max = expected[y * grid.row_stride + i];
        max = -2;
        for (size_t ky = 0; ky < 3; ++ky) {
          for (size_t kx = 0; kx < 3; ++kx) {
            const size_t pixel = (2 * y + ky) * shape.input_row() + (i / channels * 2 + kx) * channels;
            max = std::fmax(max, input[pixel + i % channels]);
          }
        }
      }
    }
    kernels().max_pool_f32(input.data(), shape.input_row(), output.data(), grid);
    EXPECT_TRUE(same_bits(output, expected)) << channels << " channels";
  }
}

QUINTET_FOR_EACH_VARIANT(ConvolutionF32);

}  // namespace
}  // namespace quintet::testing
