// The decoder's kernels that work row by row: RMSNorm, rotary position embedding, gates.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

class RmsNormRows : public EachVariant {};

TEST_P(RmsNormRows, EqualsTheFormula) {
  Random random(1);
  for (size_t cols = 1; cols <= 41; ++cols) {
    constexpr size_t kRows = 3;
    const size_t stride = cols + 3;
    std::vector<float> x = random.numbers(kRows * stride);
    const std::vector<float> gamma = random.numbers(cols);
    std::vector<float> y(kRows * stride, 7);
    NormOperands operands = {.x = {x.data(), stride},
                             .rows = kRows,
                             .cols = cols,
                             .gamma = gamma.data(),
                             .epsilon = 1e-5f,
                             .y = {y.data(), stride}};
    kernels().rms_norm_rows(operands);
    for (size_t r = 0; r < kRows; ++r) {
      const float* row = x.data() + r * stride;
      double squares = 0;
      for (size_t i = 0; i < cols; ++i) squares += double{row[i]} * double{row[i]};
      const double size = std::sqrt(squares / static_cast<double>(cols) + 1e-5);
      for (size_t i = 0; i < stride; ++i) {
        const double got = double{y[r * stride + i]};
        if (i >= cols) {
          ASSERT_EQ(got, 7) << "beyond the row";
          continue;
        }
        const double expected = double{row[i]} / size * double{gamma[i]};
        ASSERT_NEAR(got, expected, std::fabs(expected) * static_cast<double>(cols + 8) * 0x1p-24 + 1e-37) << cols;
      }
    }
    operands.y.data = x.data();
    kernels().rms_norm_rows(operands);
    for (size_t i = 0; i < cols; ++i) ASSERT_EQ(x[i], y[i]) << "in place";
  }
}

// mean(x^2) = (9 + 16 + 0 + 0 + 0 + 0 + 0 + 0 + 0) / 9, and with epsilon 0: 5 / 3.
TEST_P(RmsNormRows, ByHand) {
  const std::vector<float> x = {3, 4, 0, 0, 0, 0, 0, 0, 0}, gamma = {1, 2, 1, 1, 1, 1, 1, 1, 1};
  std::vector<float> y(9);
  kernels().rms_norm_rows(
      {.x = {x.data(), 9}, .rows = 1, .cols = 9, .gamma = gamma.data(), .epsilon = 0, .y = {y.data(), 9}});
  EXPECT_FLOAT_EQ(y[0], 1.8f);
  EXPECT_FLOAT_EQ(y[1], 4.8f);
  for (size_t i = 2; i < 9; ++i) EXPECT_EQ(y[i], 0);
}

TEST_P(RmsNormRows, NanFillsOnlyItsRow) {
  std::vector<float> x(3 * 11, 1);
  x[11 + 9] = NAN;
  const std::vector<float> gamma(11, 1);
  kernels().rms_norm_rows(
      {.x = {x.data(), 11}, .rows = 3, .cols = 11, .gamma = gamma.data(), .epsilon = 1e-5f, .y = {x.data(), 11}});
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(std::isnan(x[i]), i / 11 == 1) << i;
}

QUINTET_FOR_EACH_VARIANT(RmsNormRows);

class RotateHeads : public EachVariant {};

TEST_P(RotateHeads, TurnsPairsOfTheHalvesByTheirAngles) {
  Random random(2);
  for (const size_t rope_dim : {0, 2, 6, 8, 10, 16, 26, 64}) {
    for (const size_t rest : {0, 1, 5}) {
      constexpr size_t kHeads = 3;
      const size_t head_dim = rope_dim + rest, half = rope_dim / 2;
      std::vector<double> angles(half);
      std::vector<float> cosines(half), sines(half);
      for (size_t i = 0; i < half; ++i) {
        angles[i] = 10 * double{random.number()};
        cosines[i] = static_cast<float>(std::cos(angles[i]));
        sines[i] = static_cast<float>(std::sin(angles[i]));
      }
      const std::vector<float> before = random.numbers(kHeads * head_dim + 1);
      std::vector<float> x = before;
      kernels().rotate_heads({.x = x.data(),
                              .heads = kHeads,
                              .head_dim = head_dim,
                              .rope_dim = rope_dim,
                              .cosines = cosines.data(),
                              .sines = sines.data()});
      for (size_t h = 0; h < kHeads; ++h) {
        const float* in = before.data() + h * head_dim;
        const float* out = x.data() + h * head_dim;
        for (size_t i = 0; i < half; ++i) {
          // As polar coordinates.
          const double radius = std::hypot(double{in[i]}, double{in[i + half]});
          const double angle = std::atan2(double{in[i + half]}, double{in[i]}) + angles[i];
          ASSERT_NEAR(double{out[i]}, radius * std::cos(angle), 3e-7);
          ASSERT_NEAR(double{out[i + half]}, radius * std::sin(angle), 3e-7);
        }
        for (size_t i = rope_dim; i < head_dim; ++i) ASSERT_EQ(out[i], in[i]) << "not rotated";
      }
      ASSERT_EQ(x.back(), before.back()) << "beyond the heads";
    }
  }
}

// A quarter turn maps (a, b) to (-b, a).
TEST_P(RotateHeads, QuarterTurn) {
  std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<float> cosines(4), sines(4, 1);
  kernels().rotate_heads(
      {.x = x.data(), .heads = 1, .head_dim = 10, .rope_dim = 8, .cosines = cosines.data(), .sines = sines.data()});
  EXPECT_EQ(x, (std::vector<float>{-5, -6, -7, -8, 1, 2, 3, 4, 9, 10}));
}

QUINTET_FOR_EACH_VARIANT(RotateHeads);

class MlpActivation : public EachVariant {};

double activation(Activation function, double x) {
  switch (function) {
    case Activation::none:
      return x;
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::gelu_erf:
      return x * std::erfc(-x / std::sqrt(2.0)) / 2;
    case Activation::gelu_tanh:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
    case Activation::relu:
      return std::max(x, 0.0);
    case Activation::relu_squared:
      return std::pow(std::max(x, 0.0), 2);
    default:  // not one of transformers
      ADD_FAILURE();
  }
  return 0;
}

constexpr Activation kActivations[] = {Activation::silu, Activation::gelu_erf, Activation::gelu_tanh, Activation::relu,
                                       Activation::relu_squared};

TEST_P(MlpActivation, EqualTheFormulas) {
  Random random(3);
  for (const Activation function : kActivations) {
    for (size_t count = 0; count <= 41; ++count) {
      std::vector<float> x = random.numbers(count + 1), up = random.numbers(count + 1);
      for (float& value : x) value *= random.integer(0, 3) == 0 ? 100.0f : 8.0f;
      std::vector<float> gated(count + 1, 7), alone(count + 1, 7);
      MlpActivationOperands operands = {
          .activation = function, .gate = x.data(), .up = up.data(), .count = count, .y = gated.data()};
      kernels().mlp_activation(operands);
      operands.up = nullptr;
      operands.y = alone.data();
      kernels().mlp_activation(operands);
      for (size_t i = 0; i < count; ++i) {
        const double expected = activation(function, double{x[i]});
        const double size = std::max(std::fabs(double{x[i]}), expected);
        ASSERT_NEAR(double{alone[i]}, expected, 4e-7 * size + 1e-30) << x[i];
        ASSERT_NEAR(double{gated[i]}, expected * double{up[i]}, 5e-7 * size + 1e-30) << x[i];
      }
      ASSERT_EQ(gated[count], 7);
      ASSERT_EQ(alone[count], 7);
      operands.up = up.data();
      operands.y = x.data();
      kernels().mlp_activation(operands);
      gated[count] = x[count];
      ASSERT_TRUE(same_bits(x, gated)) << "in place";
    }
  }
}

TEST_P(MlpActivation, FarFromZero) {
  for (const Activation function : kActivations) {
    const std::vector<float> x = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 0};
    std::vector<float> y(x.size());
    kernels().mlp_activation(
        {.activation = function, .gate = x.data(), .up = nullptr, .count = x.size(), .y = y.data()});
    EXPECT_TRUE(std::isnan(y[0]));
    EXPECT_EQ(y[1], INFINITY);
    EXPECT_NEAR(y[2], 0, 1e-8);
    EXPECT_EQ(y[3], function == Activation::relu_squared ? INFINITY : 1e30f);
    EXPECT_NEAR(y[4], 0, 1e-8);
    EXPECT_EQ(y[5], 0);
  }
}

QUINTET_FOR_EACH_VARIANT(MlpActivation);

class SoftCap : public EachVariant {};

TEST_P(SoftCap, EqualsTheHyperbolicTangent) {
  Random random(5);
  for (const float cap : {0.5f, 30.0f, 50.0f}) {
    for (size_t count = 0; count <= 41; ++count) {
      std::vector<float> x = random.numbers(count + 1);
      for (float& value : x) value *= random.integer(0, 3) == 0 ? 100 * cap : 2 * cap;
      std::vector<float> y = x;
      kernels().soft_cap(y.data(), count, cap);
      for (size_t i = 0; i < count; ++i) {
        const double wide = double{cap};
        ASSERT_NEAR(double{y[i]}, wide * std::tanh(double{x[i]} / wide), 3e-7 * wide) << x[i];
      }
      ASSERT_EQ(y[count], x[count]);
    }
  }
}

TEST_P(SoftCap, FarFromZero) {
  std::vector<float> x = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 0};
  kernels().soft_cap(x.data(), x.size(), 30);
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_EQ(std::vector<float>(x.begin() + 1, x.end()), (std::vector<float>{30, -30, 30, -30, 0}));
}

QUINTET_FOR_EACH_VARIANT(SoftCap);

}  // namespace
}  // namespace quintet::testing
