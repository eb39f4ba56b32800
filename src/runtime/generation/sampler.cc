#include "runtime/generation/sampler.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "runtime/generation/logits.h"

namespace quintet {
namespace {

// The nearest allowed logit.
float rounded(double logit) {
  constexpr float kMax = std::numeric_limits<float>::max();
  if (logit < -kMax) return -std::numeric_limits<float>::infinity();
  return static_cast<float>(std::min(logit, double{kMax}));
}

}  // namespace

uint64_t split_mix(uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

Random::Random(uint64_t seed) : state_{} {
  for (uint64_t& word : state_) word = split_mix(seed);
}

uint64_t Random::next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

Result<uint32_t> Sampler::choose(std::span<const float> logits, std::span<const uint32_t> tokens,
                                 std::span<const uint32_t> mask) {
  logits = adjust(logits, tokens, mask);
  const uint64_t wanted = options_.temperature == 0 ? 1 : options_.top_k;
  if (wanted != 0 && wanted < logits.size()) {
    QUINTET_CHECK(best_logits(logits, static_cast<size_t>(wanted), candidates_));
  } else {
    QUINTET_CHECK(take_all(logits));
  }
  if (candidates_.empty()) return input_error(Reason::out_of_range, "the logits leave no token to choose");
  const Candidate best = *std::min_element(candidates_.begin(), candidates_.end(), better);
  if (options_.temperature == 0) return best.id;
  highest_ = best.logit;
  if (options_.top_p < 1 || options_.min_p > 0) weigh(1);
  if (options_.top_p < 1) keep_top_p();
  if (options_.min_p > 0) keep_min_p();
  weigh(options_.temperature);
  return draw();
}

std::span<const float> Sampler::adjust(std::span<const float> logits, std::span<const uint32_t> tokens,
                                       std::span<const uint32_t> mask) {
  const bool penalizes =
      options_.repetition_penalty != 1 || options_.frequency_penalty != 0 || options_.presence_penalty != 0;
  if (!penalizes && options_.bias.empty() && mask.empty()) return logits;
  adjusted_.assign(logits.begin(), logits.end());
  for (const auto [token, bias] : options_.bias) adjusted_[token] = rounded(adjusted_[token] + bias);
  if (penalizes) penalize(tokens);
  constexpr size_t kWordBits = 32;
  for (size_t id = 0; !mask.empty() && id < adjusted_.size(); ++id) {
    const bool allowed = (mask[id / kWordBits] >> (id % kWordBits) & 1) != 0;
    if (!allowed) adjusted_[id] = -std::numeric_limits<float>::infinity();
  }
  return adjusted_;
}

void Sampler::penalize(std::span<const uint32_t> tokens) {
  counts_.resize(adjusted_.size());
  for (const uint32_t token : tokens) ++counts_[token];
  for (const uint32_t token : tokens) {
    if (counts_[token] == 0) continue;  // a repeated token, already penalized
    double logit = adjusted_[token];
    logit = logit > 0 ? logit / options_.repetition_penalty : logit * options_.repetition_penalty;
    logit -= counts_[token] * options_.frequency_penalty + options_.presence_penalty;
    adjusted_[token] = rounded(logit);
    counts_[token] = 0;
  }
}

Status Sampler::take_all(std::span<const float> logits) {
  QUINTET_CHECK(check_logits(logits));
  candidates_.resize(logits.size());
  size_t count = 0;
  for (size_t id = 0; id < logits.size(); ++id) {
    candidates_[count].id = static_cast<uint32_t>(id);
    candidates_[count].logit = logits[id];
    count += logits[id] == -std::numeric_limits<float>::infinity() ? 0U : 1U;
  }
  candidates_.resize(count);
  return {};
}

void Sampler::weigh(double temperature) {
  for (Candidate& candidate : candidates_) {
    candidate.weight = exponential((double{candidate.logit} - highest_) / temperature);
  }
}

// Avoids sorting a whole vocabulary: candidates are counted in bins by their logits, and only those in the bin where
// the sum reaches p are sorted.
void Sampler::keep_top_p() {
  constexpr size_t kBins = 2048;
  constexpr double kBinsPerUnit = 64;  // weights up to e^-32 of the best are all in the last bin
  const auto bin_of = [&](const Candidate& candidate) {
    return static_cast<size_t>(std::min((highest_ - double{candidate.logit}) * kBinsPerUnit, double{kBins - 1}));
  };
  masses_.assign(kBins, 0);
  double total = 0;
  for (const Candidate& candidate : candidates_) {
    masses_[bin_of(candidate)] += candidate.weight;
    total += candidate.weight;
  }
  const double wanted = options_.top_p * total;
  double kept = 0;
  size_t last_bin = 0;
  while (last_bin < kBins - 1 && kept + masses_[last_bin] < wanted) kept += masses_[last_bin++];

  border_.clear();
  std::erase_if(candidates_, [&](const Candidate& candidate) {
    const size_t bin = bin_of(candidate);
    if (bin == last_bin) border_.push_back(candidate);
    return bin >= last_bin;
  });
  std::make_heap(border_.begin(), border_.end(), better);
  std::sort_heap(border_.begin(), border_.end(), better);
  for (const Candidate& candidate : border_) {
    if (kept >= wanted && !candidates_.empty()) break;
    candidates_.push_back(candidate);
    kept += candidate.weight;
  }
}

void Sampler::keep_min_p() {
  // The best one has weight 1.
  std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.weight < options_.min_p; });
}

uint32_t Sampler::draw() {
  double total = 0;
  for (const Candidate& candidate : candidates_) total += candidate.weight;
  double left = random_.unit() * total;
  uint32_t chosen = candidates_.front().id;
  for (const Candidate& candidate : candidates_) {
    if (candidate.weight == 0) continue;  // at a low temperature
    chosen = candidate.id;
    left -= candidate.weight;
    if (left < 0) break;
  }
  return chosen;
}

}  // namespace quintet
