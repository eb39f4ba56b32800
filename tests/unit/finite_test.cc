#include "tensor/finite.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace quintet
