#include "runtime/generation/dry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace quintet {
namespace {

// The penalties that are subtracted from logits of 0. A token is written as its letter.
std::vector<float> penalties(const std::string& text, const DryOptions& options) {
  std::vector<uint32_t> tokens;
  for (const char letter : text) tokens.push_back(static_cast<uint32_t>(letter));
  std::vector<float> logits(128);
  DryPenalty(options, [](uint32_t id) { return std::string(1, static_cast<char>(id)); }).apply(tokens, logits);
  for (float& logit : logits) logit = -logit;
  return logits;
}

constexpr DryOptions kOptions = {.multiplier = 1, .base = 2, .allowed_length = 1, .breakers = {}};

// The example in a comment of llama.cpp (src/llama-sampling.cpp, llama_sampler_dry_apply): after "a b c c b c y a b c"
// the token c would continue three tokens, b one and y two.
TEST(Dry, TheExampleOfLlamaCpp) {
  const auto found = penalties("abccbcyabc", kOptions);
  EXPECT_EQ(found['c'], 4);
  EXPECT_EQ(found['b'], 1);
  EXPECT_EQ(found['y'], 2);
  EXPECT_EQ(found['a'], 0);
}

// The values of llama.cpp's tests (tests/test-sampling.cpp, test_dry): shares of equally probable tokens afterwards.
TEST(Dry, TheTestsOfLlamaCpp) {
  struct Case {
    std::vector<uint32_t> tokens;
    std::vector<double> shares;
    double multiplier;
    uint64_t allowed_length, last_n;
    std::vector<std::string> breakers;
  };
  const Case cases[] = {
      {{0, 1}, {0.25, 0.25, 0.25, 0.25}, 1, 2, 4, {}},
      {{0, 1, 2, 0, 1}, {0.296923, 0.296923, 0.109232, 0.296923}, 1, 2, 5, {}},
      {{0, 1, 3, 4, 0, 1}, {0.2, 0.2, 0.2, 0.2, 0.2}, 1, 2, 6, {"3"}},
      {{0, 1, 2, 0, 1}, {0.241818, 0.241818, 0.032727, 0.241818, 0.241818}, 2, 2, 5, {}},
      {{0, 1, 2, 3, 4, 0, 1}, {0.2, 0.2, 0.2, 0.2, 0.2}, 1, 4, 7, {}},
  };
  for (const auto& [tokens, shares, multiplier, allowed_length, last_n, breakers] : cases) {
    std::vector<float> logits(shares.size(), -1.5F);
    DryPenalty penalty({.multiplier = multiplier,
                        .base = 1.1,
                        .allowed_length = allowed_length,
                        .last_n = last_n,
                        .breakers = breakers},
                       [](uint32_t id) { return std::to_string(id); });
    penalty.apply(tokens, logits);
    double sum = 0;
    for (const float logit : logits) sum += std::exp(logit);
    for (size_t i = 0; i < shares.size(); ++i) EXPECT_NEAR(std::exp(logits[i]) / sum, shares[i], 1e-6) << i;
  }
}

TEST(Dry, SequencesEndAtTheLastBreakerAndBreakersAreNotPenalized) {
  DryOptions options = kOptions;
  options.breakers = {":"};
  EXPECT_EQ(penalties("xab:cab:c", options)['a'], 1);  // only c is repeated, not "ab:c"
  EXPECT_EQ(penalties("ab:ab", options)[':'], 0);
  options.breakers = {"b:"};  // of two tokens
  EXPECT_EQ(penalties("ab:cab:c", options)['a'], 1);
  EXPECT_EQ(penalties("xb:xb", options)[':'], 2);
}

TEST(Dry, PowersBeyondTheFloatRangeForbidNothing) {
  const auto found = penalties(std::string(2000, 'a'), {.multiplier = 1000, .base = 1000, .breakers = {}});
  EXPECT_EQ(found['a'], std::numeric_limits<float>::max());
}

TEST(Dry, LaterTokensAreSearchedForBreakersOnce) {
  DryPenalty penalty({.multiplier = 1, .base = 2, .allowed_length = 1, .breakers = {"b:"}},
                     [](uint32_t id) { return std::string(1, static_cast<char>(id)); });
  const std::string text = "cab:cab:c";
  std::vector<uint32_t> tokens;
  std::vector<float> logits;
  for (const char letter : text) {
    tokens.push_back(static_cast<uint32_t>(letter));
    logits.assign(128, 0);
    penalty.apply(tokens, logits);
  }
  EXPECT_EQ(logits['a'], -1);
}

}  // namespace
}  // namespace quintet
