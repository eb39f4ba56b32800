#include "tensor/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace quintet {
namespace {

TEST(QuantizeInt8, LargestValueIsTheLimit) {
  const std::vector<float> values = {1, -2, 0.5F, 0};
  std::vector<int8_t> q(4);
  EXPECT_EQ(quantize_int8(values, q), 2.0F / 127);
  EXPECT_EQ(q, (std::vector<int8_t>{64, -127, 32, 0}));  // 63.5 and 31.75: the tie goes to the even neighbour
}

TEST(QuantizeInt8, TiesGoToTheEvenNeighbor) {
  const std::vector<float> values = {127, 0.5F, 1.5F, 2.5F, -0.5F, -1.5F};
  std::vector<int8_t> q(values.size());
  EXPECT_EQ(quantize_int8(values, q), 1.0F);
  EXPECT_EQ(q, (std::vector<int8_t>{127, 0, 2, 2, 0, -2}));
}

TEST(QuantizeInt8, ZerosHaveScaleZero) {
  std::vector<int8_t> q(3, 9);
  EXPECT_EQ(quantize_int8(std::vector<float>{0, -0.0F, 0}, q), 0.0F);
  EXPECT_EQ(q, (std::vector<int8_t>{0, 0, 0}));
}

TEST(QuantizeInt8, TheSmallestAndLargestFloatsStayInRange) {
  for (const float extreme : {std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::denorm_min() * 64,
                              std::numeric_limits<float>::min(), std::numeric_limits<float>::max()}) {
    std::vector<int8_t> q(2);
    const float scale = quantize_int8(std::vector<float>{extreme, -extreme}, q);
    EXPECT_TRUE(std::isfinite(scale));
    EXPECT_GE(q[1], -127);
    EXPECT_EQ(q[0], -q[1]);
  }
}

TEST(QuantizeInt8, GroupsAreIndependentAndComeBackWithinHalfAStep) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> row(48);
  for (size_t i = 0; i < row.size(); ++i) row[i] = normal(random) * (i < 16 ? 100.0F : 0.01F);
  std::vector<int8_t> q(row.size());
  std::vector<float> scales(3);
  std::vector<float> back(row.size());
  quantize_int8_row(row, q, scales);
  dequantize_int8_row(q, scales, back);
  for (size_t i = 0; i < row.size(); ++i) EXPECT_LE(std::fabs(back[i] - row[i]), scales[i / 16] * 0.5001F);
  EXPECT_GT(scales[0], scales[1] * 100);
}

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

TEST(GroupSize, DividesEverySize) {
  for (uint32_t n = 1; n < 200; ++n) {
    for (uint32_t wanted = 0; wanted < 220; ++wanted) {
      uint32_t best = 1;
      for (uint32_t size = 2; size <= n; ++size) {
        const auto distance = [wanted](uint32_t s) { return s > wanted ? s - wanted : wanted - s; };
        if (n % size == 0 && distance(size) < distance(best)) best = size;
      }
      ASSERT_EQ(nearest_divisor(wanted, n), best) << wanted << " of " << n;
    }
  }
}

}  // namespace
}  // namespace quintet
