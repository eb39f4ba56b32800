#include <cmath>

#include "kernels/variants.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

struct Problem {
  size_t rows, outputs, depth;
  size_t group = 0;
  Epilogue epilogue = {};
};

// Activations are integers in [-63, 63] with 63 in each row, so that quantization gives back just
// these, with scale 1.
struct Operands {
  Operands(const Problem& p, Random& random, bool extreme, int largest = 127)
      : a(p.rows * p.depth), weights(p.outputs * p.depth), packed(Storage::i8, p.outputs, p.depth, p.group) {
    for (float& value : a)
      value = static_cast<float>(extreme ? 63 * (2 * random.integer(0, 1) - 1) : random.integer(-63, 63));
    for (size_t m = 0; m < p.rows; ++m) a[m * p.depth] = 63;
    for (int8_t& value : weights)
      value = static_cast<int8_t>(extreme ? -128 + 255 * random.integer(0, 1) : random.integer(-largest - 1, largest));
    scales = random.numbers(p.outputs * packed.groups());
    bias = random.numbers(p.outputs);
    EXPECT_TRUE(packed.append_rows(bytes_of(weights.data()), p.outputs));
    EXPECT_TRUE(packed.set_scales(scales));
  }

  std::vector<float> a, scales, bias;
  std::vector<int8_t> weights;
  PackedMatrix packed;
};

// A GEMM with the quantization that it needs.
struct Form {
  quintet::QuantizeRows* quantize;
  quintet::GemmI8* gemm;
};

// The products of rows [row, row + p.rows).
std::vector<float> run(Form form, const Problem& p, const Operands& operands, size_t row, PanelRange panels) {
  const PackedMatrix& w = operands.packed;
  std::vector<uint8_t> q(p.rows * w.quads() * kActivationQuadBytes);
  std::vector<float> scales(p.rows);
  form.quantize({.x = {operands.a.data() + row * p.depth, p.depth},
                 .rows = p.rows,
                 .cols = p.depth,
                 .groups = w.groups(),
                 .q = q.data(),
                 .scales = scales.data()});
  std::vector<float> c(p.rows * p.outputs);
  Epilogue epilogue = p.epilogue;
  epilogue.bias = operands.bias.data();
  form.gemm({.q = q.data(), .scales = scales.data(), .rows = p.rows, .w = w, .c = {c.data(), p.outputs}}, epilogue,
            panels);
  return c;
}

std::vector<float> run(Form form, const Problem& p, const Operands& operands) {
  return run(form, p, operands, 0, {0, operands.packed.panels()});
}

std::vector<float> run(const Kernels& kernels, const Problem& p, const Operands& operands) {
  return run({kernels.quantize_rows, kernels.gemm_i8}, p, operands);
}

class GemmI8 : public EachVariant {
 protected:
  template <class Check>
  void for_all_sizes(Check check) {
    for (size_t rows = 0; rows <= 21; ++rows) {
      for (const size_t outputs : {1, 8, 15, 33}) {
        for (const size_t depth : {1, 3, 4, 20, 30, 64, 150, 320}) {
          check(Problem{rows, outputs, depth});
          if (depth % 2 == 0) check(Problem{rows, outputs, depth, depth / 2});
        }
      }
    }
  }
};

// The scalar kernel, too, against sums in 64 bits and the formula in double.
TEST_P(GemmI8, EqualsTheFormula) {
  Random random(1);
  for_all_sizes([&](const Problem& p) {
    const Operands operands(p, random, false);
    const std::vector<float> c = run(kernels(), p, operands);
    const size_t groups = operands.packed.groups();
    const size_t group = p.depth / groups;
    for (size_t m = 0; m < p.rows; ++m) {
      for (size_t n = 0; n < p.outputs; ++n) {
        double expected = double{operands.bias[n]};
        double magnitudes = std::fabs(expected);
        for (size_t g = 0; g < groups; ++g) {
          int64_t dot = 0;
          for (size_t k = g * group; k < (g + 1) * group; ++k) {
            dot += static_cast<int64_t>(operands.a[m * p.depth + k]) * operands.weights[n * p.depth + k];
          }
          const double term = static_cast<double>(dot) * double{operands.scales[n * groups + g]};
          expected += term;
          magnitudes += std::fabs(term);
        }
        ASSERT_NEAR(double{c[m * p.outputs + n]}, expected, magnitudes * static_cast<double>(groups + 4) * 0x1p-24);
      }
    }
  });
}

TEST_P(GemmI8, EqualsTheScalarKernelBitForBit) {
  Random random(2);
  for_all_sizes([&](const Problem& p) {
    for (const bool extreme : {false, true}) {
      const Operands operands(p, random, extreme);
      ASSERT_TRUE(same_bits(run(kernels(), p, operands), run(scalar_kernels(), p, operands)))
          << p.rows << " x " << p.outputs << " x " << p.depth << ", groups of " << p.group;
    }
  });
}

// Sums of such weights fit 16 bits, or do for some of them (SumCenters).
TEST_P(GemmI8, EqualsTheScalarKernelForSmallerWeights) {
  Random random(7);
  for_all_sizes([&](const Problem& p) {
    for (const int largest : {20, 60, 90}) {
      const Operands operands(p, random, false, largest);
      ASSERT_TRUE(same_bits(run(kernels(), p, operands), run(scalar_kernels(), p, operands)))
          << p.rows << " x " << p.outputs << " x " << p.depth << ", groups of " << p.group << ", " << largest;
    }
  });
}

// Sixteen equal products, or of equal size, are added in 16 bits where they fit (SumCenters). All weights meet all
// activations.
TEST_P(GemmI8, SumsAroundTheEndsOfSixteenBitsAreExact) {
  const Problem p = {127, 256, 64};
  Random random(8);
  Operands operands(p, random, false);
  for (const bool alternates : {false, true}) {
    // Signs that alternate from quad to quad, in each of the two sums.
    const auto signed_value = [&](size_t k, int value) { return alternates && k / 4 % 2 == 1 ? -value : value; };
    for (size_t k = 32; k < p.depth; ++k) {
      for (size_t m = 0; m < p.rows; ++m) {
        operands.a[m * p.depth + k] = static_cast<float>(signed_value(k, static_cast<int>(m) - 63));
      }
      for (size_t n = 0; n < p.outputs; ++n) {
        // Sums that are odd multiples of 4 have the centers that are rounded most.
        const int weight = std::max(-127, static_cast<int>(n) - 128) + (k == 32 && n % 2 == 0 ? 4 : 0);
        operands.weights[n * p.depth + k] = static_cast<int8_t>(signed_value(k, std::min(weight, 127)));
      }
    }
    operands.packed = PackedMatrix(Storage::i8, p.outputs, p.depth);
    ASSERT_TRUE(operands.packed.append_rows(bytes_of(operands.weights.data()), p.outputs));
    ASSERT_TRUE(operands.packed.set_scales(operands.scales));
    EXPECT_TRUE(same_bits(run(kernels(), p, operands), run(scalar_kernels(), p, operands))) << alternates;
  }
}

TEST_P(GemmI8, LongSumsAtTheEndsOfTheRangeDoNotOverflow) {
  const Problem p = {2, 3, kMaxGroupColumns};
  Random random(3);
  Operands operands(p, random, true);
  std::fill(operands.a.begin(), operands.a.end(), 63.0f);
  std::fill(operands.weights.begin(), operands.weights.end(), int8_t{-128});
  operands.packed = PackedMatrix(Storage::i8, p.outputs, p.depth);
  ASSERT_TRUE(operands.packed.append_rows(bytes_of(operands.weights.data()), p.outputs));
  ASSERT_TRUE(operands.packed.set_scales(std::vector<float>(p.outputs, 1)));
  operands.bias.assign(p.outputs, 0);
  const float expected = -128.0f * 63.0f * static_cast<float>(p.depth);
  EXPECT_EQ(run(kernels(), p, operands), std::vector<float>(p.rows * p.outputs, expected));
}

TEST_P(GemmI8, ARowHasTheSameBitsInAnyBatch) {
  Random random(4);
  const Problem p = {23, 45, 36, 12, {.activation = Activation::gelu_erf}};
  const Operands operands(p, random, false);
  const std::vector<float> all = run(kernels(), p, operands);
  const size_t panels = operands.packed.panels();
  for (size_t row = 0; row < p.rows; ++row) {
    const size_t rows = std::min<size_t>(static_cast<size_t>(random.integer(1, 9)), p.rows - row);
    const size_t panel = static_cast<size_t>(random.integer(0, static_cast<int>(panels) - 1));
    const Problem some = {rows, p.outputs, p.depth, p.group, p.epilogue};
    const Form form = {kernels().quantize_rows, kernels().gemm_i8};
    const std::vector<float> part = run(form, some, operands, row, {panel, panel + 1});
    for (size_t m = 0; m < rows; ++m) {
      for (size_t n = 0; n < p.outputs; ++n) {
        const float expected = n / kPanelRows == panel ? all[(row + m) * p.outputs + n] : 0;
        ASSERT_EQ(part[m * p.outputs + n], expected) << m << ", " << n;
      }
    }
  }
}

TEST_P(GemmI8, ANonFiniteRowGivesNanAndOthersStay) {
  Random random(5);
  const Problem p = {6, 9, 20};
  Operands operands(p, random, false);
  const std::vector<float> clean = run(kernels(), p, operands);
  operands.a[1 * p.depth + 7] = NAN;
  operands.a[3 * p.depth + 2] = -INFINITY;
  std::fill_n(operands.a.begin() + 4 * static_cast<std::ptrdiff_t>(p.depth), p.depth, 0.0f);
  const std::vector<float> c = run(kernels(), p, operands);
  for (size_t m = 0; m < p.rows; ++m) {
    for (size_t n = 0; n < p.outputs; ++n) {
      const size_t i = m * p.outputs + n;
      if (m == 1 || m == 3) {
        EXPECT_TRUE(std::isnan(c[i])) << m;
      } else {
        EXPECT_EQ(c[i], m == 4 ? operands.bias[n] : clean[i]) << m;
      }
    }
  }
}

QUINTET_FOR_EACH_VARIANT(GemmI8);

#if QUINTET_RELAXED
// One of the two is the one that this machine does not choose.
TEST(RelaxedGemmI8, BothSpellingsOfTheDotProductAreRight) {
  Random random(6);
  for (size_t rows = 1; rows <= 13; ++rows) {
    for (const bool extreme : {false, true}) {
      const Problem p = {rows, 37, 156, 78};
      const Operands operands(p, random, extreme);
      const std::vector<float> expected = run(scalar_kernels(), p, operands);
      EXPECT_TRUE(same_bits(run({relaxed::quantize_rows, relaxed::gemm_i8_fused}, p, operands), expected));
      EXPECT_TRUE(same_bits(run({relaxed::quantize_rows, relaxed::gemm_i8_paired}, p, operands), expected));
    }
  }
}
#endif

}  // namespace
}  // namespace quintet::testing
