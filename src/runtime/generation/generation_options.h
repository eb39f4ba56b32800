#pragma once
// The options of a generation as JSON: GenerateOptions without functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "runtime/generation/dry.h"

namespace quintet {

// Added to the logit of a token; -infinity forbids it.
struct LogitBias {
  uint32_t token = 0;
  double bias = 0;
};

struct SamplingOptions {
  double temperature = 0.8;       // 0: always the most probable token
  uint64_t top_k = 40;            // 0: all
  double top_p = 0.95;            // 1: all
  double min_p = 0;               // 0: all
  double repetition_penalty = 1;  // 1: off
  double frequency_penalty = 0;
  double presence_penalty = 0;
  uint64_t repeat_last_n = UINT64_MAX;  // tokens that the penalties look back at
  DryOptions dry = {};
  double xtc_probability = 0;  // 0: off
  double xtc_threshold = 0.1;
  std::vector<LogitBias> bias = {};
  uint64_t seed = 0;
  bool resumes =
      false;  // without a given seed, the random state continues where a restored sampler was, if there is one
};

// Limits on the number of tokens that a model may think.
struct ReasoningOptions {
  uint64_t budget = 0;  // tokens of thought
  std::string begin;    // begins thoughts
  std::string end;      // ends them
  std::string closing;  // written when the budget is used up, with `end` in it
  bool begins = false;  // whether the prompt has begun them
};

struct GenerationOptions {
  SamplingOptions sampling;
  uint64_t max_tokens = 256;
  std::vector<std::string> stop;
  std::optional<ReasoningOptions> reasoning;  // absent: thoughts may be of any length
  std::optional<uint64_t> logprobs;  // number of most probable tokens to report; absent: no probabilities at all
};

// An error for an option whose value is not `expected`.
Failure wrong_option(const Json::Member& option, std::string_view expected);

// Reads the options from JSON. INPUT for an option that is unknown or invalid.
Result<GenerationOptions> read_generation_options(std::string_view json);

}  // namespace quintet
