#include "tests/unit/runtime/generation/plain_sampling.h"

#include <algorithm>
#include <cmath>
#include <set>
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

// The penalties of DRY: for each earlier end of a sequence that also ends here, the token that followed it there.
double dry_penalty(uint32_t id, std::span<const uint32_t> tokens, const DryOptions& options,
                   const std::set<uint32_t>& breakers) {
  if (options.multiplier == 0 || breakers.contains(id)) return 0;
  const auto window = tokens.last(std::min<uint64_t>(options.last_n, tokens.size()));
  const auto n = static_cast<int64_t>(window.size());
  int64_t longest = -1;
  for (int64_t next = 1; next < n; ++next) {
    if (window[next] != id) continue;
    int64_t length = 0;
    while (length < next && window[next - 1 - length] == window[n - 1 - length] &&
           !breakers.contains(window[n - 1 - length])) {
      ++length;
    }
    longest = std::max(longest, length);
  }
  const auto allowed = static_cast<int64_t>(options.allowed_length);
  return longest < allowed ? 0 : options.multiplier * std::pow(options.base, longest - allowed);
}

std::map<uint32_t, double> distribution_of(std::span<const Token> tokens, double temperature) {
  const std::vector<double> p = softmax({tokens.begin(), tokens.end()}, temperature);
  std::map<uint32_t, double> distribution;
  for (size_t i = 0; i < tokens.size(); ++i) distribution[tokens[i].id] = p[i];
  return distribution;
}

}  // namespace

std::map<uint32_t, double> plain_distribution(std::span<const float> logits, std::span<const uint32_t> all_tokens,
                                              const SamplingOptions& options, const std::set<uint32_t>& breakers) {
  std::vector<Token> left;
  const auto tokens = all_tokens.last(std::min<uint64_t>(options.repeat_last_n, all_tokens.size()));
  for (uint32_t id = 0; id < logits.size(); ++id) {
    if (std::isinf(logits[id])) continue;
    const double logit = penalized(logits[id], std::count(tokens.begin(), tokens.end(), id), options);
    left.push_back({id, static_cast<float>(logit - dry_penalty(id, all_tokens, options.dry, breakers))});
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
  std::map<uint32_t, double> distribution = distribution_of(left, options.temperature);
  if (options.xtc_probability == 0) return distribution;

  // All that reach the threshold but the last are left out, in some of the draws.
  p = softmax(left, 1);
  size_t reaching = 0;
  while (reaching < left.size() && p[reaching] >= options.xtc_threshold) ++reaching;
  const size_t excluded = reaching < 2 ? 0 : reaching - 1;
  const auto rest = distribution_of(std::span(left).subspan(excluded), options.temperature);
  for (auto& [id, share] : distribution) {
    const auto found = rest.find(id);
    share = (1 - options.xtc_probability) * share + options.xtc_probability * (found == rest.end() ? 0 : found->second);
  }
  std::erase_if(distribution, [](const auto& entry) { return entry.second == 0; });
  return distribution;
}

}  // namespace quintet::test
