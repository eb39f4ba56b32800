// The convolution of single pixels in bytes, and the quantization before it, against their formulas in double and the
// scalar kernel.

#include "kernels/pointwise_i8.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/variants.h"
#include "tests/kernels/convolution_operands.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

constexpr size_t kGroup = kInterleavedWindows;

struct Quantized {
  std::vector<uint8_t> q;
  std::vector<float> scales;
};

struct Pointwise {
  Pointwise(const ConvShape& shape_, Random& random, PixelRange range_ = {})
      : shape(shape_),
        range(range_),
        input(random.numbers(shape.input_values())),
        bias(random.numbers(shape.outputs)),
        residual(random.numbers(shape.output_values())),
        scales(random.numbers(shape.panels() * kPanelRows)),
        weights(shape.outputs * shape.channels),
        panels(shape.panels() * (quads() + 1) * kPanelRows * kQuad) {
    for (float& x : input) x = range.zero_point == 1 ? range.min + std::fabs(x) : x;
    for (int8_t& weight : weights) weight = static_cast<int8_t>(random.integer(-128, 127));
    for (size_t n = 0; n < shape.outputs; ++n) {
      int8_t* const panel = panels.data() + n / kPanelRows * (quads() + 1) * kPanelRows * kQuad;
      int32_t sum = 0;
      for (size_t k = 0; k < shape.channels; ++k) {
        sum += panel[(k / kQuad * kPanelRows + n % kPanelRows) * kQuad + k % kQuad] = weights[n * shape.channels + k];
      }
      std::memcpy(panel + (quads() * kPanelRows + n % kPanelRows) * kQuad, &sum, sizeof sum);
    }
    epilogue = {.bias = bias.data(), .residual = residual.data(), .min = -0.5f, .max = 40};
  }

  size_t quads() const { return shape.channels / kQuad; }
  size_t pixels() const { return shape.height * shape.width; }

  Quantized quantize(QuantizePixels* kernel, size_t begin, size_t end) const {
    const size_t groups = (end - begin + kGroup - 1) / kGroup;
    Quantized result = {std::vector<uint8_t>(groups * quads() * kGroup * kQuad), std::vector<float>(groups * kGroup)};
    kernel({.input = input.data(),
            .view = shape.view(),
            .range = range,
            .begin = begin,
            .end = end,
            .q = result.q.data(),
            .scales = result.scales.data()});
    return result;
  }

  void multiply(PointwiseI8* kernel, const Quantized& x, const ConvTile& tile, std::vector<float>& output) const {
    const OutputGrid grid = shape.grid();
    kernel({.q = x.q.data(),
            .scales = x.scales.data(),
            .zero_point = range.zero_point,
            .w = {panels.data(), scales.data(), quads()},
            .output = output.data(),
            .grid = grid},
           epilogue, tile);
  }

  std::vector<float> compute(QuantizePixels* quantization, PointwiseI8* kernel) const {
    std::vector<float> output(shape.output_values(), kUntouched);
    multiply(kernel, quantize(quantization, 0, pixels()), {0, pixels(), 0, shape.panels()}, output);
    return output;
  }

  // Channel `c` of a pixel in steps.
  double steps(const Quantized& x, size_t pixel, size_t c) const {
    const size_t at = (pixel / kGroup * quads() + c / kQuad) * kGroup * kQuad + pixel % kGroup * kQuad + c % kQuad;
    return static_cast<double>(x.q[at]) - range.zero_point;
  }

  ConvShape shape;
  PixelRange range;
  std::vector<float> input, bias, residual, scales;
  std::vector<int8_t> weights, panels;
  FloatEpilogue epilogue;
};

class PointwiseI8Test : public EachVariant {
 protected:
  template <class Check>
  void for_all_sizes(Check check) {
    Random random(1);
    for (const size_t channels : {4, 12, 16, 20, 64}) {
      for (const size_t outputs : {1, 8, 13}) {
        for (const size_t width : {1, 5, 14}) {
          for (const PixelRange& range : {PixelRange(), PixelRange::from(-0.375f)}) {
            check(Pointwise({channels, outputs, 1, 1, 3, width}, random, range));
          }
        }
      }
    }
  }
};

TEST_P(PointwiseI8Test, PixelsAreRoundedToTheNearestStep) {
  for_all_sizes([&](const Pointwise& p) {
    const Quantized x = p.quantize(kernels().quantize_pixels, 0, p.pixels());
    for (size_t pixel = 0; pixel < p.pixels(); ++pixel) {
      const float* const from = p.input.data() + p.shape.view().offset(pixel);
      double largest = 0;
      for (size_t c = 0; c < p.shape.channels; ++c) {
        largest = std::max(largest, std::fabs(double{from[c]} - double{p.range.min}));
      }
      const double step = largest / (p.range.zero_point == 1 ? 126 : 63);
      ASSERT_NEAR(double{x.scales[pixel]}, step, 1e-6 * step);
      for (size_t c = 0; c < p.shape.channels; ++c) {
        const double exact = (double{from[c]} - double{p.range.min}) / step;
        ASSERT_NEAR(p.steps(x, pixel, c), exact, 0.5 + 1e-4) << pixel << ", " << c;
      }
    }
  });
}

TEST_P(PointwiseI8Test, HalfAStepIsRoundedToTheEvenStep) {
  Random random(5);
  for (const PixelRange& range : {PixelRange(), PixelRange::from(-0.375f)}) {
    Pointwise p({8, 1, 1, 1, 1, 1}, random, range);
    // The largest value makes a step of exactly 1.
    const float halves[] = {range.steps(), 0.5f, 1.5f, 2.5f, 3.5f, 20.5f, 61.5f, 62.5f};
    for (size_t c = 0; c < 8; ++c) p.input[c] = range.min + halves[c];
    const Quantized x = p.quantize(kernels().quantize_pixels, 0, 1);
    ASSERT_EQ(x.scales[0], 1);
    for (size_t c = 1; c < 8; ++c) EXPECT_EQ(p.steps(x, 0, c), std::nearbyint(halves[c])) << c;
  }
}

TEST_P(PointwiseI8Test, EqualsTheFormula) {
  for_all_sizes([&](const Pointwise& p) {
    const Quantized x = p.quantize(kernels().quantize_pixels, 0, p.pixels());
    const std::vector<float> output = p.compute(kernels().quantize_pixels, kernels().pointwise_i8);
    expect_outputs(p.shape, output, 4, [&](size_t y, size_t column, size_t n) {
      const size_t pixel = y * p.shape.width + column;
      double sum = 0;
      for (size_t c = 0; c < p.shape.channels; ++c) sum += p.steps(x, pixel, c) * p.weights[n * p.shape.channels + c];
      sum *= double{x.scales[pixel]} * double{p.scales[n]};
      const double residual = double{p.residual[p.shape.grid().offset(pixel) + n]};
      const double value = sum + double{p.bias[n]} + residual;
      const double clamped = std::clamp(value, double{p.epilogue.min}, double{p.epilogue.max});
      return Exact{clamped, std::fabs(sum) + std::fabs(double{p.bias[n]}) + std::fabs(residual)};
    });
  });
}

TEST_P(PointwiseI8Test, EqualsTheScalarKernelsBitForBit) {
  const Kernels& scalar = scalar_kernels();
  for_all_sizes([&](const Pointwise& p) {
    const Quantized x = p.quantize(kernels().quantize_pixels, 0, p.pixels());
    const Quantized expected = p.quantize(scalar.quantize_pixels, 0, p.pixels());
    ASSERT_EQ(x.q, expected.q);
    ASSERT_TRUE(same_bits(x.scales, expected.scales));
    ASSERT_TRUE(same_bits(p.compute(kernels().quantize_pixels, kernels().pointwise_i8),
                          p.compute(scalar.quantize_pixels, scalar.pointwise_i8)));
  });
}

TEST_P(PointwiseI8Test, APixelHasTheSameBitsWhateverIsBesideIt) {
  Random random(2);
  const Pointwise p({36, 29, 1, 1, 5, 7}, random);
  const std::vector<float> all = p.compute(kernels().quantize_pixels, kernels().pointwise_i8);
  std::vector<float> parts(p.shape.output_values(), kUntouched);
  for (size_t begin = 0, end; begin < p.pixels(); begin = end) {
    end = std::min(begin + static_cast<size_t>(random.integer(1, 9)), p.pixels());
    const Quantized x = p.quantize(kernels().quantize_pixels, begin, end);
    for (size_t panel = 0; panel < p.shape.panels(); ++panel) {
      p.multiply(kernels().pointwise_i8, x, {begin, end, panel, panel + 1}, parts);
    }
  }
  EXPECT_TRUE(same_bits(parts, all));
}

TEST_P(PointwiseI8Test, APixelThatIsNotFiniteGivesNotANumberAndOthersStay) {
  Random random(3);
  Pointwise p({20, 9, 1, 1, 1, 7}, random);
  const std::vector<float> clean = p.compute(kernels().quantize_pixels, kernels().pointwise_i8);
  p.input[1 * 20 + 7] = NAN;
  p.input[3 * 20 + 2] = -INFINITY;
  std::fill_n(p.input.begin() + 4 * 20, 20, 0.0f);
  const std::vector<float> y = p.compute(kernels().quantize_pixels, kernels().pointwise_i8);
  for (size_t pixel = 0; pixel < 7; ++pixel) {
    for (size_t n = 0; n < 9; ++n) {
      const size_t i = pixel * 9 + n;
      if (pixel == 1 || pixel == 3) {
        EXPECT_TRUE(std::isnan(y[i])) << pixel;
      } else {
        const float alone = std::max(p.bias[n] + p.residual[i], p.epilogue.min);
        EXPECT_EQ(y[i], pixel == 4 ? alone : clean[i]) << pixel;
      }
    }
  }
}

QUINTET_FOR_EACH_VARIANT(PointwiseI8Test);

#if QUINTET_RELAXED
// One of the two is the one that this machine does not choose.
TEST(RelaxedPointwiseI8, BothSpellingsOfTheDotProductAreRight) {
  Random random(4);
  for (const size_t channels : {4, 28, 160}) {
    const Pointwise p({channels, 37, 1, 1, 3, 5}, random);
    const Kernels& scalar = scalar_kernels();
    const std::vector<float> expected = p.compute(scalar.quantize_pixels, scalar.pointwise_i8);
    EXPECT_TRUE(same_bits(p.compute(scalar.quantize_pixels, relaxed::pointwise_i8_fused), expected));
    EXPECT_TRUE(same_bits(p.compute(scalar.quantize_pixels, relaxed::pointwise_i8_paired), expected));
  }
}
#endif

}  // namespace
}  // namespace quintet::testing
