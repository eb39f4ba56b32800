// The activations of image networks, against their formulas in double.

#include "kernels/activate.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

constexpr float kUntouched = 12345;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Formula {
  Activation activation;
  double (*exact)(double);
  // The results for minus and plus infinity.
  double at_least, at_most;
};

double relu6(double x) { return std::fmin(std::fmax(x, 0), 6); }

const Formula kFormulas[] = {
    {Activation::none, [](double x) { return x; }, -INFINITY, INFINITY},
    {Activation::silu, [](double x) { return x / (1 + std::exp(-x)); }, 0, INFINITY},
    {Activation::gelu_erf, [](double x) { return x / 2 * std::erfc(-x / std::numbers::sqrt2); }, 0, INFINITY},
    {Activation::gelu_tanh,
     [](double x) {
       const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
       return x / 2 * (1 + std::tanh(inner));
     },
     0, INFINITY},
    {Activation::gelu_quick, [](double x) { return x / (1 + std::exp(-1.702 * x)); }, 0, INFINITY},
    {Activation::relu, [](double x) { return std::fmax(x, 0); }, 0, INFINITY},
    {Activation::relu6, relu6, 0, 6},
    {Activation::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, 0, 1},
    {Activation::hard_sigmoid, [](double x) { return relu6(x + 3) / 6; }, 0, 1},
    {Activation::hard_swish, [](double x) { return x * relu6(x + 3) / 6; }, 0, INFINITY},
};

class Activate : public EachVariant {
 protected:
  float of(Activation activation, float x) const {
    kernels().activate(activation, &x, 1);
    return x;
  }
};

TEST_P(Activate, EqualsTheFormula) {
  Random random(1);
  for (const Formula& formula : kFormulas) {
    for (const float spread : {0.01F, 1.0F, 8.0F, 100.0F}) {
      std::vector<float> x = random.numbers(1001);
      for (float& value : x) value *= spread;
      const std::vector<float> before = x;
      kernels().activate(formula.activation, x.data(), x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        const double exact = formula.exact(double{before[i]});
        // The results vanish for values far below zero.
        ASSERT_NEAR(double{x[i]}, exact, 3e-6 * std::fabs(exact) + 1e-6 * std::fmin(1, std::fabs(double{before[i]})))
            << static_cast<int>(formula.activation) << " of " << before[i];
      }
    }
  }
}

TEST_P(Activate, ChangesOnlyTheGivenNumberOfValues) {
  Random random(2);
  for (const Formula& formula : kFormulas) {
    for (size_t count = 0; count <= 13; ++count) {
      std::vector<float> x = random.numbers(count);
      for (float& value : x) value *= 5;
      const std::vector<float> before = x;
      x.push_back(kUntouched);
      kernels().activate(formula.activation, x.data(), count);
      // The last values, which are fewer than a vector, are computed as all others.
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(x[i], of(formula.activation, before[i])) << i << " of " << count;
      EXPECT_EQ(x.back(), kUntouched);
    }
  }
}

TEST_P(Activate, KnowsInfinitiesAndZeros) {
  for (const Formula& formula : kFormulas) {
    SCOPED_TRACE(static_cast<int>(formula.activation));
    EXPECT_EQ(of(formula.activation, kInfinity), static_cast<float>(formula.at_most));
    const float lowest = of(formula.activation, -kInfinity);
    if (formula.activation == Activation::none) {
      EXPECT_EQ(lowest, -kInfinity);
    } else if (formula.activation != Activation::hard_swish) {  // 0 times infinity
      EXPECT_NEAR(double{lowest}, formula.at_least, 1e-8);
    }
    EXPECT_NEAR(double{of(formula.activation, 0)}, formula.exact(0), 1e-7);
    EXPECT_NEAR(double{of(formula.activation, -1e30F)}, formula.exact(-1e30), 1e23);
  }
}

TEST_P(Activate, NanStaysNan) {
  for (const Formula& formula : kFormulas) {
    std::vector<float> x = {1, NAN, -1, 2, -2, NAN, 3};
    kernels().activate(formula.activation, x.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(std::isnan(x[i]), i == 1 || i == 5) << static_cast<int>(formula.activation) << ", " << i;
    }
  }
}

QUINTET_FOR_EACH_VARIANT(Activate);

}  // namespace
}  // namespace quintet::testing
