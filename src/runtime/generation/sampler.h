#pragma once
// Chooses the next token from the logits of the last position, in these steps (in the order of llama.cpp):
//
//   bias         is added to the logits of its tokens
//   penalties    for every token of the session, prompt and output alike, with its number of occurrences n: a positive
//                logit is divided by the repetition penalty, any other multiplied with it (CTRL, Keskar et al. 2019,
//                arXiv:1909.05858); then n * the frequency penalty and, once, the presence penalty are subtracted;
//                only the last tokens count, if an option says how many
//   DRY          tokens that would continue a repetition are penalized (dry.h)
//   mask         tokens whose bit is not set are left out
//   topK         keeps the k most probable tokens
//   topP         of these, keeps the fewest whose probability reaches p of everything that is left (nucleus sampling,
//                Holtzman et al. 2020, arXiv:1904.09751), at least one
//   minP         of these, keeps those at least min_p times as probable as the most probable one (Nguyen et al. 2024,
//                arXiv:2407.01082)
//   XTC          "exclude top choices" (p-e-w, text-generation-webui pull request 6335): with some probability, leaves
//   out all tokens
//                that have at least the threshold's share of what is left, but the least probable of them
//   temperature  divides logits by it; then one token is drawn
//
// topP, minP and XTC use probabilities at temperature 1. With temperature 0, the most probable token after the mask is
// chosen. Of equally probable tokens, the one with the lower id counts as more probable. Nothing here depends on the
// machine: the same logits, options and seed give the same tokens.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runtime/generation/dry.h"
#include "runtime/generation/generation_options.h"
#include "runtime/generation/logits.h"

namespace quintet {

// SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): advances the state.
uint64_t split_mix(uint64_t& state);

// The random number generator for sampling. The same seed gives the same numbers everywhere, which the distributions of
// the standard library do not guarantee. xoshiro256** (Blackman, Vigna 2021, "Scrambled linear pseudorandom number
// generators", arXiv:1805.01407).
class Random {
 public:
  // The state is filled by SplitMix64, as its authors recommend: any seed is good, including 0.
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
  // Uses this random state instead of the seed's.
  Sampler(const SamplingOptions& options, const Random& random, TokenText text = no_text)
      : options_(options), random_(random), dry_(options.dry, std::move(text)) {}

  // `tokens`: all tokens of the session, each below logits.size(), as those of the bias. `mask`: a bit for each token,
  // the lowest of the first word first; empty to allow all. INPUT for logits from which no token can be chosen: NaN,
  // +infinity, or nothing but -infinity.
  Result<uint32_t> choose(std::span<const float> logits, std::span<const uint32_t> tokens,
                          std::span<const uint32_t> mask = {});
  // The state with which the next choice continues.
  const Random& random() const { return random_; }

 private:
  static constexpr size_t kBlock = 256;  // tokens that are weighed together
  using Weights = std::array<double, kBlock>;
  using Bins = std::array<uint32_t, kBlock>;

  static std::string no_text(uint32_t) { return {}; }
  static std::span<const float> block_at(std::span<const float> logits, size_t begin);
  std::span<const float> adjust(std::span<const float> logits, std::span<const uint32_t> tokens,
                                std::span<const uint32_t> mask);
  void penalize(std::span<const uint32_t> tokens);
  void find_bins(std::span<const float> logits, Bins& bins) const;
  void keep_top_p(std::span<const float> logits);
  void keep_candidates(double kept, double wanted);
  void keep_min_p();
  std::span<const float> exclude_top(std::span<const float> logits);
  double weigh_all(std::span<const float> logits, double temperature);
  bool any_within_reach(std::span<const float> logits) const;
  void weigh(std::span<const float> logits, double temperature, Weights& weights) const;
  double weigh_candidates(double temperature);
  uint32_t draw(std::span<const float> logits);

  SamplingOptions options_;
  Random random_;
  DryPenalty dry_;

  // The choices: these tokens, and without top_k all those that are at most reach_ below the highest logit.
  std::vector<Candidate> candidates_;
  double highest_ = 0;
  double reach_ = 0;
  // These are members only to reuse their memory.
  std::vector<double> masses_;
  std::vector<float> adjusted_;
  std::vector<uint32_t> counts_;  // of each token; zero between calls
};

}  // namespace quintet
