#include "base/power.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quintet {
namespace {

constexpr double kLastPlaces = 1e-14;

TEST(Power, AgreesWithTheLibraryWithinAFewDigitsOfTheLastPlace) {
  for (const double base : {0.25, 1.0, 2.0, 8.0, 100.0, 1e4, 5e5, 1e6, 1e9}) {
    for (int pair = -96; pair <= 200; ++pair) {
      const double exponent = pair / 96.0, expected = std::pow(base, exponent);
      EXPECT_NEAR(power(base, exponent), expected, kLastPlaces * expected) << base << " to the " << exponent;
    }
  }
}

TEST(Power, HasManyFactorsForLargeExponents) {
  EXPECT_NEAR(power(1.000001, 88e6), std::pow(1.000001, 88e6), 1e-8 * std::pow(1.000001, 88e6));
  EXPECT_NEAR(power(1.75, 158.5), std::pow(1.75, 158.5), kLastPlaces * std::pow(1.75, 158.5));
}

TEST(Power, IsExactWhereTheResultIs) {
  EXPECT_EQ(power(1e4, 0), 1);
  EXPECT_EQ(power(1e4, -0.5), 0.01);
  EXPECT_EQ(power(16, 0.75), 8);
  EXPECT_EQ(power(3, 2), 9);
  EXPECT_EQ(power(2, 100), 0x1p100);
  EXPECT_EQ(power(1e9, 1e-300), 1);
}

TEST(NaturalLog, AgreesWithTheLibraryWithinAFewDigitsOfTheLastPlace) {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    EXPECT_NEAR(natural_log(x), std::log(x), kLastPlaces * std::abs(std::log(x))) << x;
  }
  for (const double x : {1.0, 1.0001, 0.9999, 2.0, 0.5}) EXPECT_NEAR(natural_log(x), std::log(x), 1e-15) << x;
}

}  // namespace
}  // namespace quintet
