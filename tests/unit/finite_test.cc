#include "tensor/finite.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace quintet {
namespace {

TEST(AllFinite, IsFalseForOneNumberThatIsNot) {
  using Limits = std::numeric_limits<float>;
  std::vector<float> values = {0, -0.0F, 1, Limits::max(), Limits::lowest(), Limits::denorm_min(), -Limits::min(), 7, -1};
  EXPECT_TRUE(all_finite({}));
  EXPECT_TRUE(all_finite(values));
  for (const float broken : {Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    for (float& place : values) {
      const float before = std::exchange(place, broken);
      EXPECT_FALSE(all_finite(values));
      place = before;
    }
  }
}

// Of each type the largest number that is rounded to a finite one, and the next.
TEST(AllFiniteAs, CountsWhatRoundsToInfinity) {
  using Limits = std::numeric_limits<float>;
  const std::pair<Dtype, float> largest[] = {{Dtype::f32, Limits::max()},
                                             {Dtype::f16, std::nextafter(65520.0F, 0.0F)},
                                             {Dtype::bf16, std::nextafter(0x1.FFp127F, 0.0F)}};
  for (const auto& [dtype, value] : largest) {
    EXPECT_TRUE(all_finite_as(dtype, {}));
    for (const float number : {value, -value}) {
      const float next = std::nextafter(number, number * Limits::infinity());
      std::vector<float> values = {0, number, 1};
      std::vector<std::byte> bytes(values.size() * bits_of(dtype) / 8);
      EXPECT_TRUE(all_finite_as(dtype, values));
      encode(dtype, values, bytes);
      decode(dtype, bytes, values);
      EXPECT_TRUE(all_finite(values));
      values = {0, next, 1};
      EXPECT_FALSE(all_finite_as(dtype, values));
      encode(dtype, values, bytes);
      decode(dtype, bytes, values);
      EXPECT_FALSE(all_finite(values));
    }
    EXPECT_FALSE(all_finite_as(dtype, std::vector{1.0F, Limits::quiet_NaN()}));
  }
}

}  // namespace
}  // namespace quintet
