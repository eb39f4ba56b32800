// Products of bytes against sums in 64 bits, in all forms of the fused dot product.

#include "kernels/convolve_i8.h"

#include <cstring>

#include "kernels/registry.h"
#include "kernels/relaxed/relaxed_dot.h"
#include "kernels/variants.h"
#include "kernels/wasm_simd.h"
#include "tests/kernels/static_operands.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

constexpr ConvShape kShapes[] = {
    {1, 1, 1, 1, 1, 1},  {3, 5, 7, 2, 3, 4},  {5, 8, 3, 1, 4, 6},   {8, 21, 3, 2, 5, 3},   {2, 3, 5, 1, 2, 3},
    {7, 16, 1, 2, 3, 9}, {6, 9, 1, 1, 1, 11}, {64, 10, 1, 1, 1, 1}, {12, 33, 3, 1, 2, 13}, {512, 8, 3, 1, 2, 3},
};

std::vector<int16_t> run_convolve(const Kernels& kernels, const StaticConvolution& c, const ConvTile& tile) {
  const size_t groups = (tile.end - tile.begin + kInterleavedWindows - 1) / kInterleavedWindows;
  std::vector<uint8_t> windows(groups * interleaved_window_bytes(c.weights));
  kernels.interleave_windows({.input = c.input.data(),
                              .view = c.shape.view(),
                              .zero_point = c.input_zero,
                              .begin = tile.begin,
                              .end = tile.end,
                              .q = windows.data()});
  std::vector<int8_t> panels((tile.panel_end - tile.panel_begin) * interleaved_panel_bytes(c.weights));
  kernels.interleave_panels(c.weights, tile.panel_begin, tile.panel_end, panels.data());
  std::vector<int16_t> output(c.shape.output_values(), kUntouchedActivation);
  kernels.convolve_i8({.q = windows.data(),
                       .zero_point = c.input_zero,
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

void expect_exact_sums(const Kernels& kernels) {
  Random random(1);
  for (const ConvShape& shape : kShapes) {
    for (const StaticRange range : kStaticRanges) {
      for (const bool residual : {false, true}) {
        const StaticConvolution c(shape, range, residual, random, true);
        ASSERT_EQ(run_convolve(kernels, c), expected_outputs(c)) << ::testing::PrintToString(shape);
      }
    }
  }
}

class ConvolutionI8 : public EachVariant {};

TEST_P(ConvolutionI8, EqualsSumsIn64Bits) { expect_exact_sums(kernels()); }

TEST_P(ConvolutionI8, AnOutputIsTheSameInAnyTile) {
  Random random(3);
  const StaticConvolution c({6, 45, 3, 1, 5, 7}, StaticRange::any, true, random, true);
  const std::vector<int16_t> all = run_convolve(kernels(), c);
  const OutputGrid grid = c.shape.grid();
  for (size_t begin = 0; begin < grid.height * grid.width; ++begin) {
    const size_t end = std::min(begin + static_cast<size_t>(random.integer(1, 15)), grid.height * grid.width);
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

TEST_P(ConvolutionI8, PanelsAreQuadsOfWeightsAndTheirSums) {
  Random random(4);
  for (const size_t length : {1, 2, 6, 7, 12}) {
    constexpr size_t kRows = 19, kSegments = 3;
    PairedMatrix weights(kRows, kSegments, length);
    std::vector<int8_t> values(kRows * kSegments * length);
    for (int8_t& value : values) value = static_cast<int8_t>(random.integer(-128, 127));
    for (size_t row = 0; row < kRows; ++row)
      ASSERT_TRUE(weights.append_row(std::span(values).subspan(row * kSegments * length, kSegments * length)));
    ASSERT_TRUE(weights.set_zero_point(0));

    const size_t panel_bytes = interleaved_panel_bytes(weights);
    const size_t padded = (length + 3) / 4 * 4;
    std::vector<int8_t> out(2 * panel_bytes);
    kernels().interleave_panels(weights, 1, 3, out.data());
    for (size_t row = 8; row < 24; ++row) {
      const int8_t* const panel = out.data() + (row / 8 - 1) * panel_bytes;
      int32_t sum = 0;
      for (size_t i = 0; i < kSegments * padded; ++i) {
        const bool exists = row < kRows && i % padded < length;
        const int8_t value = exists ? values[(row * kSegments + i / padded) * length + i % padded] : int8_t{0};
        ASSERT_EQ(panel[i / 4 * 32 + row % 8 * 4 + i % 4], value) << row << ", " << i;
        sum += value;
      }
      int32_t actual;
      std::memcpy(&actual, panel + kSegments * padded * 8 + row % 8 * 4, sizeof actual);
      ASSERT_EQ(actual, sum) << row;
    }
  }
}

QUINTET_FOR_EACH_VARIANT(ConvolutionI8);

#if QUINTET_RELAXED && !defined(__wasm__)
// Engines with a fused dot product treat activations as signed or as unsigned bytes.
TEST(ConvolutionI8Forms, BothAreExact) {
  const Kernels& kernels = *compiled_kernels().back();
  ASSERT_EQ(relaxed::relaxed_dot(), relaxed::RelaxedDot::fused_signed);
  expect_exact_sums(kernels);
  fused_dot_is_unsigned = true;
  ASSERT_EQ(relaxed::relaxed_dot(), relaxed::RelaxedDot::fused_unsigned);
  expect_exact_sums(kernels);
  EXPECT_EQ(self_test(kernels), std::nullopt);
  fused_dot_is_unsigned = false;
}
#endif

}  // namespace
}  // namespace quintet::testing
