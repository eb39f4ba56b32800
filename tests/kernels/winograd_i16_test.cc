// Winograd's algorithm in integers.

#include "tests/kernels/static_operands.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

constexpr ConvShape kShapes[] = {
    {2, 1, 3, 1, 1, 1},   {8, 8, 3, 1, 2, 2},  {6, 21, 3, 1, 5, 3},
    {24, 16, 3, 1, 3, 8}, {16, 9, 3, 1, 7, 7}, {10, 5, 3, 1, 9, 11},
};

std::vector<int16_t> run_winograd(const Kernels& kernels, const StaticConvolution& c, const ConvTile& tile) {
  const ConvShape& s = c.shape;
  std::vector<int16_t> v((tile.end - tile.begin) * kWinogradTaps * s.channels);
  std::vector<int16_t> u((tile.panel_end - tile.panel_begin) * kWinogradTaps * static_tap_values(s.channels));
  std::vector<int16_t> output(s.output_values(), kUntouchedActivation);
  kernels.winograd_input_i16(c.input.data(), {s.input_row(), s.channels, s.tiles_in_row(), tile.begin, tile.end},
                             v.data());
  kernels.winograd_weights_i16(c.weights, s.channels, tile.panel_begin, tile.panel_end, u.data());
  kernels.winograd_multiply_i16(
      {.v = v.data(), .u = u.data(), .channels = s.channels, .output = output.data(), .grid = s.grid()}, c.epilogue,
      tile);
  return output;
}

std::vector<int16_t> run_winograd(const Kernels& kernels, const StaticConvolution& c) {
  return run_winograd(kernels, c, {0, c.shape.tiles(), 0, c.shape.panels()});
}

class WinogradI16 : public EachVariant {};

TEST_P(WinogradI16, EqualsSumsIn64Bits) {
  Random random(1);
  for (const ConvShape& shape : kShapes) {
    for (const StaticRange range : kStaticRanges) {
      for (const bool residual : {false, true}) {
        const StaticConvolution c(shape, range, residual, random);
        ASSERT_EQ(run_winograd(kernels(), c), expected_outputs(c)) << ::testing::PrintToString(shape);
      }
    }
  }
}

// Four times these sums takes 31 bits, and what is added on the way to them wraps.
TEST_P(WinogradI16, LongSumsAtTheEndsOfTheRangeAreExact) {
  Random random(2);
  for (const StaticRange range : kStaticRanges) {
    const StaticConvolution c({512, 8, 3, 1, 3, 4}, range, false, random);
    ASSERT_EQ(run_winograd(kernels(), c), expected_outputs(c));
  }
}

TEST_P(WinogradI16, AnOutputIsTheSameInAnyTile) {
  Random random(3);
  const StaticConvolution c({8, 37, 3, 1, 9, 11}, StaticRange::any, true, random);
  const std::vector<int16_t> all = run_winograd(kernels(), c);
  const OutputGrid grid = c.shape.grid();
  for (size_t begin = 0; begin < c.shape.tiles(); ++begin) {
    const size_t end = std::min(begin + static_cast<size_t>(random.integer(1, 25)), c.shape.tiles());
    const size_t panel = static_cast<size_t>(random.integer(0, 4));
    const std::vector<int16_t> part = run_winograd(kernels(), c, {begin, end, panel, panel + 1});
    std::vector<int16_t> expected(part.size(), kUntouchedActivation);
    for (size_t i = 0; i < grid.height * grid.width; ++i) {
      const size_t tile = i / grid.width / 2 * c.shape.tiles_in_row() + i % grid.width / 2;
      if (tile < begin || tile >= end) continue;
      for (size_t n = panel * 8; n < std::min<size_t>(panel * 8 + 8, 37); ++n)
        expected[grid.offset(i) + n] = all[grid.offset(i) + n];
    }
    ASSERT_EQ(part, expected) << begin << " to " << end;
  }
}

// B^T and 2G as matrices; a product with both sides, [taps][values of a patch or filter].
constexpr int kInputMatrix[4][4] = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
constexpr int kWeightMatrix[4][3] = {{2, 0, 0}, {1, 1, 1}, {1, -1, 1}, {0, 0, 2}};

TEST_P(WinogradI16, InputsAreTransformed) {
  Random random(4);
  const StaticConvolution c({10, 1, 3, 1, 5, 7}, StaticRange::any, false, random);
  const ConvShape& s = c.shape;
  std::vector<int16_t> v((s.tiles() - 1) * kWinogradTaps * s.channels);
  kernels().winograd_input_i16(c.input.data(), {s.input_row(), s.channels, s.tiles_in_row(), 1, s.tiles()}, v.data());
  for (size_t i = 0; i < v.size(); ++i) {
    const size_t channel = i % s.channels, tap = i / s.channels % 16, tile = 1 + i / s.channels / 16;
    const size_t y = tile / s.tiles_in_row() * 2, x = tile % s.tiles_in_row() * 2;
    int sum = 0;
    for (size_t k = 0; k < 16; ++k) {
      const int pixel = c.input[(y + k / 4) * s.input_row() + (x + k % 4) * s.channels + channel];
      sum += kInputMatrix[tap / 4][k / 4] * kInputMatrix[tap % 4][k % 4] * pixel;
    }
    ASSERT_EQ(v[i], sum) << "tile " << tile << ", tap " << tap;
  }
}

TEST_P(WinogradI16, WeightsAreTransformed) {
  Random random(5);
  for (const StaticRange range : kStaticRanges) {
    const StaticConvolution c({22, 19, 3, 1, 1, 1}, range, false, random);
    const size_t channels = c.shape.channels;
    const size_t of_tap = static_tap_values(channels);
    std::vector<int16_t> u(2 * kWinogradTaps * of_tap);
    kernels().winograd_weights_i16(c.weights, channels, 1, 3, u.data());
    for (size_t i = 0; i < u.size(); ++i) {
      const size_t channel = i % of_tap / 16 * 2 + i % 2;
      const size_t row = 8 + i / (16 * of_tap) * 8 + i % 16 / 2, tap = i / of_tap % 16;
      if (channel >= channels || row >= c.shape.outputs) continue;
      int sum = 0;
      for (size_t k = 0; k < 9; ++k) {
        const int weight = c.exact[(row * 9 + k) * channels + channel];
        sum += kWeightMatrix[tap / 4][k / 3] * kWeightMatrix[tap % 4][k % 3] * weight;
      }
      ASSERT_EQ(u[i], sum) << "output " << row << ", channel " << channel << ", tap " << tap;
    }
  }
}

QUINTET_FOR_EACH_VARIANT(WinogradI16);

}  // namespace
}  // namespace quintet::testing
