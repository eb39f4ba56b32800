#pragma once
// Chooses the next token from the logits of the last position. The chain, in this order (that of llama.cpp):
//
//   penalties    of every token that the session holds, prompt and answer alike, with its number of occurrences n:
//                a positive logit is divided by the repetition penalty, any other multiplied with it (CTRL, Keskar et
//                al. 2019, arXiv:1909.05858); then n * the frequency penalty and, once, the presence penalty are
//                subtracted
//   topK         the k most probable tokens are kept
//   topP         of these, the fewest whose probability reaches p of all that is left (nucleus sampling, Holtzman et
//   al.
//                2020, arXiv:1904.09751), at least one
//   minP         of these, those at least min_p times as probable as the most probable one (Nguyen et al. 2024,
//                arXiv:2407.01082)
//   temperature  logits are divided by it; then one token is drawn
//
// topP and minP see probabilities at temperature 1. With temperature 0 the most probable token after the penalties is
// chosen. Of equally probable tokens the one with the lower id counts as more probable. Nothing here depends on the
// machine: the same logits, options and seed give the same tokens.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "runtime/generation/generation_options.h"
#include "runtime/generation/logits.h"

namespace quintet {

// SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): advances the state.
uint64_t split_mix(uint64_t& state);

// The generator of random numbers that sampling draws from: the same seed gives the same numbers everywhere, which the
// standard library's distributions do not promise.
// xoshiro256** (Blackman, Vigna 2021, "Scrambled linear pseudorandom number generators", arXiv:1805.01407).
class Random {
 public:
  // The state is filled by SplitMix64, as its authors advise: any seed is good, 0 as well.
  explicit Random(uint64_t seed);
  explicit Random(const std::array<uint64_t, 4>& state) : state_(state) {}

  uint64_t next();
  // Uniform in [0, 1), in steps of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  const std::array<uint64_t, 4>& state() const { return state_; }

 private:
  std::array<uint64_t, 4> state_;
};

class Sampler {
 public:
  explicit Sampler(const SamplingOptions& options) : Sampler(options, Random(options.seed)) {}
  // Draws these random numbers instead of the seed's.
  Sampler(const SamplingOptions& options, const Random& random) : options_(options), random_(random) {}

  // `tokens`: all that the session holds, each below logits.size(). INPUT for logits from which none can be chosen:
  // NaN, +infinity, or nothing but -infinity.
  Result<uint32_t> choose(std::span<const float> logits, std::span<const uint32_t> tokens);
  // Where the next choice goes on.
  const Random& random() const { return random_; }

 private:
  std::span<const float> penalize(std::span<const float> logits, std::span<const uint32_t> tokens);
  Status take_all(std::span<const float> logits);
  void keep_top_p();
  void keep_min_p();
  void weigh(double temperature);
  uint32_t draw();

  SamplingOptions options_;
  Random random_;

  std::vector<Candidate> candidates_;
  double highest_ = 0;  // logit of all candidates
  // Kept from call to call only for their memory.
  std::vector<Candidate> border_;
  std::vector<double> masses_;
  std::vector<float> penalized_;
  std::vector<uint32_t> counts_;  // of each token; zero between calls
};

}  // namespace quintet
