#pragma once
// What a caller asks of a generation, as JSON: the contract's GenerateOptions without its functions, and the messages
// of a conversation.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizers/chat_template.h"

namespace quintet {

struct SamplingOptions {
  double temperature = 0.8;       // 0: always the most probable token
  uint64_t top_k = 40;            // 0: all
  double top_p = 0.95;            // 1: all
  double min_p = 0;               // 0: all
  double repetition_penalty = 1;  // 1: none
  double frequency_penalty = 0;
  double presence_penalty = 0;
  uint64_t seed = 0;
  bool resumes =
      false;  // rather than by the seed, the random numbers go on where a restored sampler was, if there is one
};

struct GenerationOptions {
  SamplingOptions sampling;
  uint64_t max_tokens = 256;
  std::vector<std::string> stop;
  std::optional<uint64_t> logprobs;  // how many of the most probable tokens are told; absent: no probabilities at all
};

// From JSON under the contract's names. INPUT for an option that is unknown or outside its meaning.
Result<GenerationOptions> read_generation_options(std::string_view json);

// From JSON [{ role: "system" | "user" | "assistant", content }].
Result<std::vector<ChatMessage>> read_chat_messages(std::string_view json);

}  // namespace quintet
