#include "runtime/generation/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "tests/unit/runtime/generation/plain_sampling.h"

namespace quintet {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> random_logits(size_t count, uint32_t seed, double spread) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, spread);
  std::vector<float> logits(count);
  for (float& logit : logits) logit = static_cast<float>(normal(random));
  return logits;
}

// That draws come from `expected`.
void expect_drawn_from(Sampler& sampler, std::span<const float> logits, std::span<const uint32_t> tokens,
                       const std::map<uint32_t, double>& expected) {
  constexpr int kDraws = 20000;
  std::map<uint32_t, int> counts;
  for (int i = 0; i < kDraws; ++i) {
    const auto id = sampler.choose(logits, tokens);
    ASSERT_TRUE(id);
    ASSERT_TRUE(expected.contains(*id)) << *id;
    ++counts[*id];
  }
  // Pearson's test; what comes rarely is counted together.
  double statistic = 0, rare_wanted = 0, rare_counted = 0;
  int terms = 0;
  for (const auto& [id, p] : expected) {
    const double wanted = p * kDraws;
    if (wanted < 10) {
      rare_wanted += wanted;
      rare_counted += counts[id];
      continue;
    }
    statistic += (counts[id] - wanted) * (counts[id] - wanted) / wanted;
    ++terms;
  }
  if (rare_wanted >= 10) {
    statistic += (rare_counted - rare_wanted) * (rare_counted - rare_wanted) / rare_wanted;
    ++terms;
  }
  // Less than one in a million of right samplers is beyond this (Laurent and Massart 2000, lemma 1, with x = 14).
  const double degrees = terms - 1;
  EXPECT_LE(statistic, degrees + 2 * std::sqrt(degrees * 14) + 2 * 14) << degrees;
}

TEST(Sampler, DrawsFromThePlainChainsDistribution) {
  std::mt19937 random(1);
  const auto pick = [&](std::initializer_list<double> values) { return values.begin()[random() % values.size()]; };
  for (uint32_t round = 0; round < 120; ++round) {
    const SamplingOptions options{.temperature = pick({0.3, 0.8, 1, 2}),
                                  .top_k = static_cast<uint64_t>(pick({0, 1, 5, 40, 1000})),
                                  .top_p = pick({0, 0.3, 0.9, 0.95, 1}),
                                  .min_p = pick({0, 0.05, 0.5}),
                                  .repetition_penalty = pick({0.8, 1, 1.3}),
                                  .frequency_penalty = pick({0, 0.2, -0.1}),
                                  .presence_penalty = pick({0, 0.5}),
                                  .seed = round};
    const auto logits = random_logits(100, round, pick({0.3, 1.5, 4}));
    const std::vector<uint32_t> tokens = {3, 7, 7, 7, 99, static_cast<uint32_t>(random() % 100)};
    SCOPED_TRACE("round " + std::to_string(round));
    Sampler sampler(options);
    expect_drawn_from(sampler, logits, tokens, test::plain_distribution(logits, tokens, options));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Sampler, DryAndXtcDrawFromThePlainChainsDistribution) {
  std::mt19937 random(2);
  const auto pick = [&](std::initializer_list<double> values) { return values.begin()[random() % values.size()]; };
  for (uint32_t round = 0; round < 60; ++round) {
    const SamplingOptions options{.temperature = pick({0.05, 0.8, 2}),
                                  .top_k = static_cast<uint64_t>(pick({0, 5, 40})),
                                  .top_p = pick({0.5, 0.95, 1}),
                                  .min_p = pick({0, 0.05}),
                                  .repetition_penalty = pick({1, 1.3}),
                                  .repeat_last_n = static_cast<uint64_t>(pick({0, 3, 1000})),
                                  .dry = {.multiplier = pick({0, 0.5, 3}),
                                          .base = pick({1, 1.75}),
                                          .allowed_length = static_cast<uint64_t>(pick({1, 2, 4})),
                                          .last_n = static_cast<uint64_t>(pick({0, 12, 1000})),
                                          .breakers = {";"}},
                                  .xtc_probability = pick({0, 0.3, 1}),
                                  .xtc_threshold = pick({0.02, 0.1, 0.4, 0.6}),
                                  .seed = round};
    const auto logits = random_logits(100, round, pick({0.3, 1.5, 4}));
    // Few different tokens repeat themselves; 5 contains the breaker.
    std::vector<uint32_t> tokens(40);
    for (uint32_t& token : tokens) token = static_cast<uint32_t>(random() % 3);
    if (round % 2 == 0) tokens[20 + random() % 20] = 5;
    SCOPED_TRACE("round " + std::to_string(round));
    Sampler sampler(options, Random(round), [](uint32_t id) { return std::string(id == 5 ? "a;b" : "c"); });
    expect_drawn_from(sampler, logits, tokens, test::plain_distribution(logits, tokens, options, {5}));
    if (testing::Test::HasFailure()) return;
  }
}

// The support is the same for the sizes of real vocabularies, with and without topK.
TEST(Sampler, KeepsTheTokensOfThePlainChain) {
  for (const size_t size : {2000U, 32000U}) {
    for (const double spread : {0.01, 1.0, 3.0, 40.0}) {
      const auto logits = random_logits(size, static_cast<uint32_t>(size), spread);
      for (const uint64_t top_k : {0U, 40U}) {
        const SamplingOptions options{.temperature = 1, .top_k = top_k, .top_p = 0.7, .seed = 5};
        const auto expected = test::plain_distribution(logits, {}, options);
        Sampler sampler(options);
        for (int i = 0; i < 200; ++i) {
          const auto id = sampler.choose(logits, {});
          ASSERT_TRUE(id);
          ASSERT_TRUE(expected.contains(*id)) << size << " " << spread << " " << *id;
        }
      }
    }
  }
}

TEST(Sampler, TemperatureZeroTakesTheLowestIdOfTheBest) {
  Sampler sampler({.temperature = 0});
  EXPECT_EQ(*sampler.choose(std::vector<float>{1, 5, -2, 5, 4}, {}), 1U);
  // After the penalties.
  Sampler penalizing({.temperature = 0, .presence_penalty = 2});
  EXPECT_EQ(*penalizing.choose(std::vector<float>{1, 5, -2, 4, 4}, std::vector<uint32_t>{1, 1}), 3U);
}

TEST(Sampler, PenaltiesOfHandMadeLogits) {
  // 4 / 2 - 2 * 0.25 - 0.5 = 1 and -1 * 2 - 0.25 - 0.5 = -2.75.
  const SamplingOptions options{.temperature = 1,
                                .top_k = 0,
                                .top_p = 1,
                                .repetition_penalty = 2,
                                .frequency_penalty = 0.25,
                                .presence_penalty = 0.5};
  const std::vector<float> logits = {4, -1, 0};
  const std::vector<uint32_t> tokens = {0, 1, 0};
  const double sum = std::exp(1.0) + std::exp(-2.75) + 1;
  Sampler sampler(options);
  expect_drawn_from(sampler, logits, tokens, {{0, std::exp(1.0) / sum}, {1, std::exp(-2.75) / sum}, {2, 1 / sum}});
}

// The values of llama.cpp's tests (tests/test-sampling.cpp, test_xtc), with and without topK.
TEST(Sampler, XtcLeavesTheTokensOfLlamaCppsTests) {
  const std::vector<float> logits = {std::log(0.4F), std::log(0.3F), std::log(0.2F), std::log(0.1F)};
  const std::pair<double, std::map<uint32_t, double>> cases[] = {
      {0.09, {{3, 1}}},
      {0.19, {{2, 2.0 / 3}, {3, 1.0 / 3}}},
      {0.29, {{1, 0.5}, {2, 1.0 / 3}, {3, 1.0 / 6}}},
      {0.39, {{0, 0.4}, {1, 0.3}, {2, 0.2}, {3, 0.1}}},
  };
  for (const auto& [threshold, expected] : cases) {
    for (const uint64_t top_k : {0U, 4U}) {
      SamplingOptions options{.temperature = 1, .top_k = top_k, .top_p = 1};
      options.xtc_probability = 1;
      options.xtc_threshold = threshold;
      Sampler sampler(options);
      expect_drawn_from(sampler, logits, {}, expected);
    }
  }
}

TEST(Sampler, PenaltiesLookBackAtTheLastTokens) {
  const std::vector<float> logits = {3, 2.5, 2};
  const std::vector<uint32_t> tokens = {0, 1, 1};
  const auto best = [&](uint64_t last) {
    SamplingOptions options{.temperature = 0, .presence_penalty = 2};
    options.repeat_last_n = last;
    return *Sampler(options).choose(logits, tokens);
  };
  EXPECT_EQ(best(0), 0U);
  EXPECT_EQ(best(2), 0U);  // only token 1 is penalized
  EXPECT_EQ(best(3), 2U);
  EXPECT_EQ(best(UINT64_MAX), 2U);
}

TEST(Sampler, ASeedGivesTheSameTokens) {
  const auto logits = random_logits(500, 3, 2);
  std::set<std::vector<uint32_t>> texts;
  for (const uint64_t seed : {11U, 12U, 11U, 12U}) {
    Sampler sampler({.seed = seed});
    std::vector<uint32_t> text;
    for (int i = 0; i < 20; ++i) text.push_back(*sampler.choose(logits, text));
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 2U);
}

TEST(Sampler, ForbiddenTokensAreNeverDrawn) {
  std::vector<float> logits(100, -kInfinity);
  logits[40] = -3;
  logits[41] = -4;
  for (const uint64_t top_k : {0U, 1U, 60U}) {
    Sampler sampler({.temperature = 5, .top_k = top_k, .repetition_penalty = 1.5});
    for (int i = 0; i < 100; ++i) {
      const uint32_t id = *sampler.choose(logits, std::vector<uint32_t>{2, 40});
      EXPECT_TRUE(id == 40 || id == 41);
    }
  }
}

TEST(Sampler, BiasIsAddedBeforePenalties) {
  const std::vector<float> logits = {1, 4, 2, 3};
  Sampler biased({.temperature = 0, .bias = {{.token = 2, .bias = 2.5}}});
  EXPECT_EQ(*biased.choose(logits, {}), 2U);
  Sampler forbidding({.temperature = 0, .bias = {{.token = 1, .bias = -std::numeric_limits<double>::infinity()}}});
  EXPECT_EQ(*forbidding.choose(logits, {}), 3U);
  // (4 - 1) / 2 is less than 2; without the bias, 4 / 2 is not.
  Sampler both(
      {.temperature = 0, .repetition_penalty = 2, .bias = {{.token = 1, .bias = -1}, {.token = 3, .bias = -9}}});
  EXPECT_EQ(*both.choose(logits, std::vector<uint32_t>{1}), 2U);
}

TEST(Sampler, TokensOutsideOfTheMaskAreNeverDrawn) {
  const auto logits = random_logits(70, 5, 2);
  std::vector<uint32_t> mask = {0x80000001, 0x00000100, 0x20};  // tokens 0, 31, 40 and 69
  const std::set<uint32_t> allowed = {0, 31, 40, 69};
  for (const uint64_t top_k : {0, 1, 40}) {
    Sampler sampler({.temperature = 3, .top_k = top_k, .top_p = 1, .seed = 11});
    std::set<uint32_t> drawn;
    for (int i = 0; i < 400; ++i) drawn.insert(*sampler.choose(logits, std::vector<uint32_t>{40}, mask));
    EXPECT_TRUE(std::ranges::includes(allowed, drawn));
    EXPECT_EQ(drawn.size(), top_k == 1 ? 1U : 4U);
  }
  std::ranges::fill(mask, 0U);
  Sampler sampler({});
  EXPECT_EQ(sampler.choose(logits, {}, mask).error().reason, Reason::out_of_range);
}

TEST(Sampler, LogitsWithoutAnyChoiceAreRejected) {
  const std::vector<float> wrong[] = {{1, std::nanf(""), 2}, {1, kInfinity}, {-kInfinity, -kInfinity}, {}};
  for (const double temperature : {0.0, 1.0}) {
    for (const auto& logits : wrong) {
      Sampler sampler({.temperature = temperature});
      const auto id = sampler.choose(logits, {});
      ASSERT_FALSE(id);
      EXPECT_EQ(id.error().code, Code::input);
    }
  }
}

TEST(Sampler, ExtremeOptionsStillChoose) {
  const std::vector<float> logits = {std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(), 0};
  for (const double temperature : {5e-324, 1e-30, 1000.0}) {
    Sampler sampler({.temperature = temperature, .repetition_penalty = 0.001, .frequency_penalty = -1000});
    EXPECT_EQ(*sampler.choose(logits, std::vector<uint32_t>{0, 1, 2}), 0U);
  }
}

}  // namespace
}  // namespace quintet
