#include "runtime/generation/logits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace quintet {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A few values only, so that there are ties.
std::vector<float> random_logits(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> logits(count);
  for (float& logit : logits) {
    const auto step = static_cast<int>(random() % 50);
    logit = step == 0 ? -kInfinity : static_cast<float>(step - 25) * 0.37F;
  }
  return logits;
}

TEST(Exponential, IsThatOfTheStandardLibrary) {
  for (double x = -707.9; x <= 0; x += 0.000917) {
    const double expected = std::exp(x);
    ASSERT_NEAR(exponential(x), expected, expected * 1e-11) << x;
  }
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-709), 0);
  EXPECT_EQ(exponential(-1e300), 0);
  EXPECT_EQ(exponential(-std::numeric_limits<double>::infinity()), 0);
}

TEST(Logits, TheBestAreThoseOfAFullSort) {
  for (const size_t size : {1U, 2U, 5U, 41U, 1000U, 5000U}) {
    const auto logits = random_logits(size, static_cast<uint32_t>(size));
    std::vector<Candidate> sorted;
    for (size_t id = 0; id < size; ++id)
      if (logits[id] != -kInfinity) sorted.push_back({.id = static_cast<uint32_t>(id), .logit = logits[id]});
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Candidate& a, const Candidate& b) { return a.logit > b.logit; });
    for (const size_t count : {1U, 2U, 40U, 900U, 6000U}) {
      std::vector<Candidate> best;
      ASSERT_TRUE(best_logits(logits, count, best));
      ASSERT_EQ(best.size(), std::min<size_t>(count, sorted.size()));
      for (size_t i = 0; i < best.size(); ++i) {
        ASSERT_EQ(best[i].id, sorted[i].id) << size << " " << count << " " << i;
        ASSERT_EQ(best[i].logit, sorted[i].logit);
      }
    }
  }
}

TEST(Logits, OnlyNumbersAndMinusInfinityAreLogits) {
  std::vector<float> logits = {1, -kInfinity, 3};
  EXPECT_TRUE(check_logits(logits));
  for (const float wrong : {kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    logits[1] = wrong;
    const Status status = check_logits(logits);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::input);
    EXPECT_NE(status.error().detail.find("token 1"), std::string::npos);
    std::vector<Candidate> best;
    EXPECT_FALSE(best_logits(logits, 1, best));
  }
}

TEST(Logits, LogSumExpOfLargeAndSmallLogits) {
  const std::vector<float> logits = {1, 2, 3, -kInfinity};
  EXPECT_NEAR(log_sum_exp(logits), std::log(std::exp(1.0) + std::exp(2.0) + std::exp(3.0)), 1e-10);
  EXPECT_NEAR(log_sum_exp(std::vector<float>(8, 30000.0F)), 30000 + std::log(8), 1e-9);
  EXPECT_NEAR(log_sum_exp(std::vector<float>(8, -30000.0F)), -30000 + std::log(8), 1e-9);
}

}  // namespace
}  // namespace quintet
