#include "tensor/finite.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/half.h"

namespace quintet {
namespace {

TEST(AllFinite, IsFalseForOneNumberThatIsNot) {
  using Limits = std::numeric_limits<float>;
  std::vector<float> values = {0, -0.0F, 1, Limits::max(), Limits::lowest(), Limits::denorm_min(), -Limits::min(),
                               7, -1};
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

TEST(AllFiniteHalves, AgreesWithEveryHalfAsAFloat) {
  EXPECT_TRUE(all_finite_halves({}));
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const uint16_t halves[] = {0, 0x7BFF, static_cast<uint16_t>(bits), 0xFBFF};
    ASSERT_EQ(all_finite_halves(std::as_bytes(std::span(halves))), std::isfinite(f16_to_f32(halves[2]))) << bits;
  }
}

// For each type, the largest number that is rounded to a finite one, and the next.
TEST(AllFiniteAs, ValuesThatRoundToInfinityAreNotFinite) {
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
