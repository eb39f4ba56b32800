#include "runtime/generation/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "runtime/generation/logits.h"

namespace quintet {
namespace {

constexpr uint32_t kBins = 2048;
constexpr double kBinsPerUnit = 64;  // weights up to e^-32 of the best are all in the last bin

// Four sums, so that an addition need not wait for the previous one.
double sum_of(std::span<const double> weights) {
  double sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= weights.size(); i += 4)
    for (size_t lane = 0; lane < 4; ++lane) sums[lane] += weights[i + lane];
  for (; i < weights.size(); ++i) sums[0] += weights[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

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
  const bool of_all = wanted == 0 || wanted >= logits.size();
  QUINTET_CHECK(best_logits(logits, of_all ? 1 : static_cast<size_t>(wanted), candidates_));
  if (candidates_.empty()) return input_error(Reason::out_of_range, "the logits leave no token to choose");
  if (options_.temperature == 0) return candidates_.front().id;
  highest_ = candidates_.front().logit;
  reach_ = std::numeric_limits<double>::infinity();
  if (!of_all) {
    logits = {};
    if (options_.top_p < 1) keep_candidates(0, options_.top_p * weigh_candidates(1));
  } else {
    candidates_.clear();
    if (options_.top_p < 1) keep_top_p(logits);
  }
  if (options_.min_p > 0) keep_min_p();
  if (options_.xtc_probability > 0) logits = exclude_top(logits);
  return draw(logits);
}

std::span<const float> Sampler::block_at(std::span<const float> logits, size_t begin) {
  return logits.subspan(begin, std::min(kBlock, logits.size() - begin));
}

std::span<const float> Sampler::adjust(std::span<const float> logits, std::span<const uint32_t> tokens,
                                       std::span<const uint32_t> mask) {
  const bool penalizes =
      options_.repetition_penalty != 1 || options_.frequency_penalty != 0 || options_.presence_penalty != 0;
  const bool is_dry = options_.dry.multiplier != 0;
  if (!penalizes && !is_dry && options_.bias.empty() && mask.empty()) return logits;
  adjusted_.assign(logits.begin(), logits.end());
  for (const auto [token, bias] : options_.bias) adjusted_[token] = rounded(adjusted_[token] + bias);
  const auto recent = static_cast<size_t>(std::min<uint64_t>(options_.repeat_last_n, tokens.size()));
  if (penalizes) penalize(tokens.last(recent));
  if (is_dry) dry_.apply(tokens, adjusted_);
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

// Bin b has the tokens whose distance from the best is at most b / kBinsPerUnit, and that are in no bin before it.
void Sampler::find_bins(std::span<const float> logits, Bins& bins) const {
  const double highest = highest_;
  for (size_t i = 0; i < logits.size(); ++i) {
    const double bin = (highest - double{logits[i]}) * kBinsPerUnit;
    // Numbers from 2^52 have the integer in their lowest bits. A conversion would not become vectors.
    bins[i] = static_cast<uint32_t>(std::bit_cast<uint64_t>(std::ceil(bin < kBins - 1 ? bin : kBins - 1) + 0x1p52));
  }
}

// Avoids sorting a whole vocabulary: only the tokens of the bin where the sum reaches p become candidates, which are
// sorted.
void Sampler::keep_top_p(std::span<const float> logits) {
  masses_.assign(kBins, 0);
  Weights weights;
  Bins bins;
  for (size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const std::span<const float> block = block_at(logits, begin);
    weigh(block, 1, weights);
    find_bins(block, bins);
    for (size_t i = 0; i < block.size(); ++i) masses_[bins[i]] += weights[i];
  }
  double total = 0;
  for (const double mass : masses_) total += mass;
  const double wanted = options_.top_p * total;
  double kept = 0;
  uint32_t last_bin = 0;
  while (last_bin < kBins - 1 && kept + masses_[last_bin] < wanted) kept += masses_[last_bin++];

  reach_ = last_bin / kBinsPerUnit;
  for (size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const std::span<const float> block = block_at(logits, begin);
    if (!any_within_reach(block)) continue;
    find_bins(block, bins);
    for (size_t i = 0; i < block.size(); ++i) {
      if (bins[i] == last_bin && block[i] > -std::numeric_limits<float>::infinity())
        candidates_.push_back({.id = static_cast<uint32_t>(begin + i), .logit = block[i]});
    }
  }
  std::make_heap(candidates_.begin(), candidates_.end(), better);
  std::sort_heap(candidates_.begin(), candidates_.end(), better);
  weigh_candidates(1);
  keep_candidates(kept, wanted);
  reach_ = (last_bin - 1.0) / kBinsPerUnit;
}

// Keeps the best until `kept` reaches `wanted`; one if nothing is kept yet.
void Sampler::keep_candidates(double kept, double wanted) {
  size_t count = 0;
  while (count < candidates_.size() && (kept == 0 || kept < wanted)) kept += candidates_[count++].weight;
  candidates_.resize(count);
}

void Sampler::keep_min_p() {
  reach_ = std::min(reach_, -std::log(options_.min_p));
  std::erase_if(candidates_, [&](const Candidate& candidate) {
    return exponential(double{candidate.logit} - highest_) < options_.min_p;
  });
}

// Most blocks of a vocabulary have none where few tokens may be drawn.
bool Sampler::any_within_reach(std::span<const float> logits) const {
  const double highest = highest_, reach = reach_;
  bool any = false;
  for (const float logit : logits) any |= highest - double{logit} <= reach;
  return any;
}

// Tokens that are too far from the best weigh 0.
void Sampler::weigh(std::span<const float> logits, double temperature, Weights& weights) const {
  weights.fill(0);
  if (!any_within_reach(logits)) return;
  const double highest = highest_, reach = reach_;
  // Finite, for a distance of 0.
  const double factor = std::max(-1 / temperature, -std::numeric_limits<double>::max());
  for (size_t i = 0; i < logits.size(); ++i) {
    const double distance = highest - double{logits[i]};
    const double weight = exponential(distance * factor);
    weights[i] = distance <= reach ? weight : 0;
  }
}

// Returns the sum.
double Sampler::weigh_candidates(double temperature) {
  double sum = 0;
  for (Candidate& candidate : candidates_) {
    candidate.weight = exponential((double{candidate.logit} - highest_) / temperature);
    sum += candidate.weight;
  }
  return sum;
}

// Returns the logits that are left.
std::span<const float> Sampler::exclude_top(std::span<const float> logits) {
  if (random_.unit() >= options_.xtc_probability) return logits;
  const double min_weight = options_.xtc_threshold * weigh_all(logits, 1);
  std::vector<Candidate> top;
  std::ranges::copy_if(candidates_, std::back_inserter(top),
                       [=](const Candidate& c) { return c.weight >= min_weight; });
  Weights weights;
  for (size_t begin = 0, number = 0; begin < logits.size(); begin += kBlock, ++number) {
    if (masses_[number] < min_weight) continue;
    const std::span<const float> block = block_at(logits, begin);
    weigh(block, 1, weights);
    for (size_t i = 0; i < block.size(); ++i) {
      if (weights[i] > 0 && weights[i] >= min_weight)
        top.push_back({.id = static_cast<uint32_t>(begin + i), .logit = block[i]});
    }
  }
  if (top.size() < 2) return logits;
  const Candidate kept = *std::ranges::max_element(top, better);
  std::erase_if(candidates_, [&](const Candidate& candidate) { return better(candidate, kept); });
  if (!logits.empty()) {
    if (logits.data() != adjusted_.data()) adjusted_.assign(logits.begin(), logits.end());
    for (const Candidate& candidate : top) {
      if (candidate.id != kept.id) adjusted_[candidate.id] = -std::numeric_limits<float>::infinity();
    }
    logits = adjusted_;
  }
  reach_ -= highest_ - kept.logit;
  highest_ = kept.logit;
  return logits;
}

// Returns the sum of the weights; masses_ has those of the blocks of the vocabulary.
double Sampler::weigh_all(std::span<const float> logits, double temperature) {
  Weights weights;
  double total = weigh_candidates(temperature);
  masses_.clear();
  for (size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const std::span<const float> block = block_at(logits, begin);
    weigh(block, temperature, weights);
    masses_.push_back(sum_of(std::span(weights).first(block.size())));
    total += masses_.back();
  }
  return total;
}

// Keeps only the sums of blocks of the vocabulary, and computes the weights of the chosen block again.
uint32_t Sampler::draw(std::span<const float> logits) {
  const double total = weigh_all(logits, options_.temperature);
  Weights weights;

  // Sums below are those above: the last one is the total, which is more than this.
  const double target = random_.unit() * total;
  double sum = 0;
  for (const Candidate& candidate : candidates_) {
    sum += candidate.weight;
    if (target < sum) return candidate.id;
  }
  size_t number = 0;
  for (; target >= sum + masses_[number]; ++number) sum += masses_[number];
  const size_t begin = number * kBlock;
  const std::span<const float> block = block_at(logits, begin);
  weigh(block, options_.temperature, weights);
  // The last one that may be chosen, if rounding leaves none.
  size_t chosen = 0;
  for (size_t i = 0; i < block.size() && target >= sum; ++i) {
    if (weights[i] == 0) continue;  // at a low temperature, or out of reach
    sum += weights[i];
    chosen = i;
  }
  return static_cast<uint32_t>(begin + chosen);
}

}  // namespace quintet
