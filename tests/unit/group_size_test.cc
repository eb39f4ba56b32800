#include "tensor/codecs/group_size.h"

#include <gtest/gtest.h>

namespace quintet::test {
namespace {

TEST(GroupSize, IsTheNearestDivisor) {
  // Sizes that the exporter of the fixtures chose: 7x7x3, 3x3x8, 3x3x64 and so on.
  EXPECT_EQ(nearest_divisor(64, 147), 49U);
  EXPECT_EQ(nearest_divisor(64, 72), 72U);
  EXPECT_EQ(nearest_divisor(32, 147), 21U);
  EXPECT_EQ(nearest_divisor(32, 72), 36U);
  EXPECT_EQ(nearest_divisor(64, 576), 64U);
  EXPECT_EQ(nearest_divisor(64, 24), 24U);
  EXPECT_EQ(nearest_divisor(64, 5), 5U);
  // The smaller of two equally near ones: 3 and 5 around 4.
  EXPECT_EQ(nearest_divisor(4, 15), 3U);
  EXPECT_EQ(nearest_divisor(0, 10), 1U);
  EXPECT_EQ(nearest_divisor(6, 7), 7U);
  EXPECT_EQ(nearest_divisor(3, 7), 1U);
  EXPECT_EQ(nearest_divisor(UINT32_MAX, 1), 1U);
}

TEST(GroupSize, DividesWhateverIsAsked) {
  for (uint32_t n = 1; n < 200; ++n) {
    for (uint32_t asked = 0; asked < 220; ++asked) {
      uint32_t best = 1;
      for (uint32_t size = 2; size <= n; ++size) {
        const auto distance = [asked](uint32_t s) { return s > asked ? s - asked : asked - s; };
        if (n % size == 0 && distance(size) < distance(best)) best = size;
      }
      ASSERT_EQ(nearest_divisor(asked, n), best) << asked << " of " << n;
    }
  }
}

}  // namespace
}  // namespace quintet::test
