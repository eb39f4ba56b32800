#include <cmath>

#include "base/half.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

struct Problem {
  size_t rows, outputs, depth;
  Storage storage = Storage::f32;
  Epilogue epilogue = {};
  size_t a_stride = depth + 3;
  size_t c_stride = outputs + 5;
};

// Operands with their exact values next to the form that the kernels expect.
struct Operands {
  Operands(const Problem& p, Random& random)
      : a(random.numbers(p.rows * p.a_stride)),
        weights(random.numbers(p.outputs * p.depth)),
        bias(random.numbers(p.outputs)),
        residual(random.numbers(p.rows * p.c_stride)),
        packed(p.storage, p.outputs, p.depth) {
    std::vector<uint16_t> halves;
    if (p.storage != Storage::f32) halves = round_to_halves(p.storage == Storage::f16);
    const std::byte* source = halves.empty() ? bytes_of(weights.data()) : bytes_of(halves.data());
    EXPECT_TRUE(packed.append_rows(source, p.outputs));
  }

  std::vector<float> a, weights, bias, residual;
  PackedMatrix packed;

 private:
  std::vector<uint16_t> round_to_halves(bool f16) {
    std::vector<uint16_t> halves;
    for (float& weight : weights) {
      halves.push_back(f16 ? f32_to_f16(weight) : f32_to_bf16(weight));
      weight = f16 ? f16_to_f32(halves.back()) : bf16_to_f32(halves.back());
    }
    return halves;
  }
};

constexpr float kUntouched = 12345;

GemmF32Operands products(const Problem& p, const Operands& operands, std::vector<float>& c) {
  return {.a = {operands.a.data(), p.a_stride}, .w = operands.packed, .c = {c.data(), p.c_stride}};
}

std::vector<float> run(const Kernels& kernels, const Problem& p, const Operands& operands, const GemmTile& tile) {
  std::vector<float> c(p.rows * p.c_stride, kUntouched);
  kernels.gemm_f32(products(p, operands, c), p.epilogue, tile);
  return c;
}

GemmTile whole(const Problem& p, const Operands& operands) { return {0, p.rows, 0, operands.packed.panels()}; }

// The expected result, and the error that rounding may cause: each of `depth` products and additions adds at most half
// a unit in the last place of the sum of magnitudes.
void expect_right(const Problem& p, const Operands& operands, const std::vector<float>& c) {
  constexpr double kUnit = 0x1p-24;
  for (size_t m = 0; m < p.rows; ++m) {
    for (size_t n = 0; n < p.c_stride; ++n) {
      const float got = c[m * p.c_stride + n];
      if (n >= p.outputs) {
        ASSERT_EQ(got, kUntouched) << "row " << m << ", beyond the last output";
        continue;
      }
      double sum = 0, magnitudes = 0;
      for (size_t k = 0; k < p.depth; ++k) {
        const double product = double{operands.a[m * p.a_stride + k]} * double{operands.weights[n * p.depth + k]};
        sum += product;
        magnitudes += std::fabs(product);
      }
      const double alpha = double{p.epilogue.alpha};
      double expected = sum * alpha;
      double allowed = magnitudes * std::fabs(alpha) * static_cast<double>(p.depth + 3) * kUnit;
      if (p.epilogue.bias != nullptr) expected += double{operands.bias[n]};
      if (p.epilogue.activation == Activation::gelu_erf) {
        expected = expected * 0.5 * std::erfc(-expected / std::sqrt(2.0));
        allowed = allowed * 1.2 + 2e-7 * std::fabs(expected);  // 1.13 is its steepest slope
      }
      if (p.epilogue.residual.data != nullptr) expected += double{operands.residual[m * p.c_stride + n]};
      allowed += 4 * kUnit * (1 + std::fabs(expected));
      ASSERT_NEAR(double{got}, expected, allowed) << "row " << m << ", output " << n << ", depth " << p.depth;
    }
  }
}

class GemmF32 : public EachVariant {
 protected:
  void check(Problem p, Random& random) {
    const Operands operands(p, random);
    if (p.epilogue.bias != nullptr) p.epilogue.bias = operands.bias.data();
    if (p.epilogue.residual.data != nullptr) p.epilogue.residual = {operands.residual.data(), p.c_stride};
    expect_right(p, operands, run(kernels(), p, operands, whole(p, operands)));
  }

  static constexpr float kPresent = 0;  // stands for a bias or residual that check() fills in
};

TEST_P(GemmF32, EqualsTheFormulaAtAllSizes) {
  Random random(1);
  for (size_t rows = 0; rows <= 31; ++rows) {
    for (const size_t outputs : {1, 7, 8, 9, 24, 37}) {
      for (const size_t depth : {0, 1, 2, 3, 5, 32, 41}) check({rows, outputs, depth}, random);
    }
  }
}

TEST_P(GemmF32, WidensHalves) {
  Random random(2);
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    for (const size_t rows : {1, 2, 3, 6, 11}) check({rows, 29, 33, storage}, random);
  }
}

TEST_P(GemmF32, WidensEveryHalfExactly) {
  const auto expect_exact = [this](Storage storage, const std::vector<uint16_t>& halves) {
    PackedMatrix packed(storage, halves.size(), 1);
    ASSERT_TRUE(packed.append_rows(bytes_of(halves.data()), halves.size()));
    const float one = 1;
    std::vector<float> c(halves.size());
    kernels().gemm_f32({.a = {&one, 1}, .w = packed, .c = {c.data(), c.size()}}, {}, {0, 1, 0, packed.panels()});
    for (size_t i = 0; i < halves.size(); ++i) {
      const float expected = storage == Storage::f16 ? f16_to_f32(halves[i]) : bf16_to_f32(halves[i]);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(c[i])) << i;
      } else {
        EXPECT_EQ(c[i], expected) << i;
      }
    }
  };
  std::vector<uint16_t> halves(65536);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
  expect_exact(Storage::f16, halves);
  expect_exact(Storage::bf16, halves);
  // A matrix of finite values alone is widened in another way.
  std::erase_if(halves, [](uint16_t half) { return !std::isfinite(f16_to_f32(half)); });
  expect_exact(Storage::f16, halves);
}

TEST_P(GemmF32, InfiniteHalvesStayInTheirOutput) {
  constexpr size_t kOutputs = 29, kDepth = 33, kInfinite = 17;
  Random random(12);
  for (const size_t rows : {1, 2, 3, 6, 11}) {
    std::vector<uint16_t> halves(kOutputs * kDepth);
    for (uint16_t& half : halves) half = f32_to_f16(random.number());
    halves[kInfinite * kDepth + 20] = f32_to_f16(-INFINITY);
    PackedMatrix packed(Storage::f16, kOutputs, kDepth);
    ASSERT_TRUE(packed.append_rows(bytes_of(halves.data()), kOutputs));
    std::vector<float> a = random.numbers(rows * kDepth), c(rows * kOutputs), expected(c.size());
    for (float& value : a) value = std::fabs(value) + 0.1f;
    const GemmTile all = {0, rows, 0, packed.panels()};
    kernels().gemm_f32({.a = {a.data(), kDepth}, .w = packed, .c = {c.data(), kOutputs}}, {}, all);
    scalar_kernels().gemm_f32({.a = {a.data(), kDepth}, .w = packed, .c = {expected.data(), kOutputs}}, {}, all);
    for (size_t i = 0; i < c.size(); ++i) {
      if (i % kOutputs == kInfinite) {
        ASSERT_EQ(c[i], -INFINITY) << i;
      } else {
        ASSERT_NEAR(double{c[i]}, double{expected[i]}, 1e-5) << i;
      }
    }
  }
}

TEST_P(GemmF32, AppliesEveryEpilogue) {
  Random random(3);
  for (const bool bias : {false, true}) {
    for (const bool residual : {false, true}) {
      for (const Activation activation : {Activation::none, Activation::gelu_erf}) {
        Epilogue epilogue = {.alpha = -1.75f, .activation = activation};
        if (bias) epilogue.bias = &kPresent;
        if (residual) epilogue.residual.data = &kPresent;
        for (const size_t rows : {1, 5, 13}) check({rows, 43, 21, Storage::f32, epilogue}, random);
      }
    }
  }
}

TEST_P(GemmF32, TheResidualMayBeTheResult) {
  Random random(4);
  for (const Activation activation : {Activation::none, Activation::gelu_erf}) {
    const Problem p = {.rows = 13, .outputs = 27, .depth = 19, .epilogue = {.activation = activation}};
    const Operands operands(p, random);
    Problem apart = p;
    apart.epilogue.residual = {operands.residual.data(), p.c_stride};
    const std::vector<float> expected = run(kernels(), apart, operands, whole(p, operands));
    std::vector<float> c = operands.residual;
    apart.epilogue.residual = {c.data(), p.c_stride};
    kernels().gemm_f32(products(p, operands, c), apart.epilogue, whole(p, operands));
    for (size_t m = 0; m < p.rows; ++m) {
      for (size_t n = 0; n < p.outputs; ++n) ASSERT_EQ(c[m * p.c_stride + n], expected[m * p.c_stride + n]);
    }
  }
}

TEST_P(GemmF32, ARowHasTheSameBitsInAnyBatchAndTile) {
  Random random(5);
  Problem p = {.rows = 29, .outputs = 45, .depth = 67, .epilogue = {.activation = Activation::gelu_erf}};
  const Operands operands(p, random);
  p.epilogue.bias = operands.bias.data();
  const std::vector<float> all = run(kernels(), p, operands, whole(p, operands));
  for (size_t begin = 0; begin < p.rows; ++begin) {
    for (size_t end = begin + 1; end <= p.rows; end += 3) {
      const size_t middle = static_cast<size_t>(random.integer(0, static_cast<int>(operands.packed.panels())));
      std::vector<float> part(p.rows * p.c_stride, kUntouched);
      for (const GemmTile tile :
           {GemmTile{begin, end, 0, middle}, GemmTile{begin, end, middle, operands.packed.panels()}}) {
        kernels().gemm_f32(products(p, operands, part), p.epilogue, tile);
      }
      for (size_t i = 0; i < part.size(); ++i) {
        const bool inside = i >= begin * p.c_stride && i < end * p.c_stride;
        ASSERT_EQ(part[i], inside ? all[i] : kUntouched) << "rows " << begin << " to " << end << ", element " << i;
      }
    }
  }
}

TEST_P(GemmF32, NanStaysInItsRow) {
  Random random(6);
  const Problem p = {.rows = 9, .outputs = 20, .depth = 30, .epilogue = {.activation = Activation::gelu_erf}};
  Operands operands(p, random);
  const std::vector<float> clean = run(kernels(), p, operands, whole(p, operands));
  operands.a[4 * p.a_stride + 11] = NAN;
  const std::vector<float> c = run(kernels(), p, operands, whole(p, operands));
  for (size_t m = 0; m < p.rows; ++m) {
    for (size_t n = 0; n < p.outputs; ++n) {
      const size_t i = m * p.c_stride + n;
      if (m == 4) {
        EXPECT_TRUE(std::isnan(c[i]));
      } else {
        EXPECT_EQ(c[i], clean[i]);
      }
    }
  }
}

TEST_P(GemmF32, PanelsMadeAtRunTimeGiveTheSame) {
  Random random(7);
  for (const size_t rows : {1, 6, 17}) {
    for (const size_t outputs : {1, 8, 30, 64}) {
      const Problem p = {.rows = rows, .outputs = outputs, .depth = 32};
      const Operands operands(p, random);
      const std::vector<float> expected = run(kernels(), p, operands, whole(p, operands));
      std::vector<float> c(p.rows * p.c_stride, kUntouched);
      kernels().gemm_panels_f32({.a = {operands.a.data(), p.a_stride},
                                 .panels = operands.packed.panel_f32(0),
                                 .m = p.rows,
                                 .n = p.outputs,
                                 .k = p.depth,
                                 .c = {c.data(), p.c_stride}},
                                {});
      EXPECT_TRUE(same_bits(c, expected));
    }
  }
}

// GELU by itself: a product with 1. The whole range in which it is neither 0 nor x.
TEST_P(GemmF32, GeluIsAccurate) {
  const float one = 1;
  PackedMatrix packed(Storage::f32, 1, 1);
  ASSERT_TRUE(packed.append_rows(bytes_of(&one), 1));
  std::vector<float> x;
  for (float value = -12; value <= 12; value += 0x1p-10f) x.push_back(value);
  for (float value = 1e-30f; value < 1; value *= 1.37f) x.insert(x.end(), {value, -value});
  for (const float value : {0.0f, -0.0f, 1e30f, -1e30f, INFINITY, -INFINITY}) x.push_back(value);
  std::vector<float> y(x.size());
  kernels().gemm_f32({.a = {x.data(), 1}, .w = packed, .c = {y.data(), 1}}, {.activation = Activation::gelu_erf},
                     {0, x.size(), 0, 1});
  for (size_t i = 0; i < x.size(); ++i) {
    const double at = std::fmax(double{x[i]}, -40.0);
    const double expected = std::isinf(at) ? at : 0.5 * at * std::erfc(-at / std::sqrt(2.0));
    if (std::isinf(expected)) {
      EXPECT_EQ(double{y[i]}, expected);
    } else {
      EXPECT_NEAR(double{y[i]}, expected, 2e-7 * std::fmin(std::fabs(at), 40)) << x[i];
    }
  }
}

QUINTET_FOR_EACH_VARIANT(GemmF32);

}  // namespace
}  // namespace quintet::testing
