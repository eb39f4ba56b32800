#include "tests/unit/runtime/generation/plain_sampling.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace quintet::test {
namespace {

struct Token {
  uint32_t id;
  double logit;
};

std::vector<double> softmax(const std::vector<Token>& tokens, double temperature) {
  std::vector<double> p;
  double sum = 0;
  for (const Token& token : tokens) {
    p.push_back(std::exp((token.logit - tokens.front().logit) / temperature));
    sum += p.back();
  }
  for (double& value : p) value /= sum;
  return p;
}

double penalized(double logit, int64_t occurrences, const SamplingOptions& options) {
  if (occurrences == 0) return logit;
  logit = logit > 0 ? logit / options.repetition_penalty : logit * options.repetition_penalty;
  return static_cast<float>(logit - static_cast<double>(occurrences) * options.frequency_penalty -
                            options.presence_penalty);
}

}  // namespace

std::map<uint32_t, double> plain_distribution(std::span<const float> logits, std::span<const uint32_t> tokens,
                                              const SamplingOptions& options) {
  std::vector<Token> left;
  for (uint32_t id = 0; id < logits.size(); ++id) {
    if (!std::isinf(logits[id]))
      left.push_back({id, penalized(logits[id], std::count(tokens.begin(), tokens.end(), id), options)});
  }
  std::stable_sort(left.begin(), left.end(), [](const Token& a, const Token& b) { return a.logit > b.logit; });
  if (options.temperature == 0) return {{left.front().id, 1.0}};

  if (options.top_k != 0 && options.top_k < left.size()) left.resize(options.top_k);
  std::vector<double> p = softmax(left, 1);
  size_t kept = 0;
  for (double sum = 0; kept < left.size() && (kept == 0 || sum < options.top_p); ++kept) sum += p[kept];
  if (options.top_p < 1) left.resize(kept);
  p = softmax(left, 1);
  kept = 0;
  while (kept < left.size() && p[kept] >= options.min_p * p[0]) ++kept;
  left.resize(kept);
  p = softmax(left, options.temperature);

  std::map<uint32_t, double> distribution;
  for (size_t i = 0; i < left.size(); ++i) distribution[left[i].id] = p[i];
  return distribution;
}

}  // namespace quintet::test
