#pragma once
// DRY, "don't repeat yourself" (p-e-w, text-generation-webui pull request 5677; llama.cpp pull request 9702): a token
// that would continue a repeated sequence is penalized, the more the longer the sequence.
//
// If the last n tokens occurred before, and n is at least the allowed length and 1, the logit of the token that
// followed them there is lowered by multiplier * base^(n - allowed length), once, for the largest such n. Sequences do
// not reach across a breaker, and tokens whose text contains one are never penalized.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace quintet {

struct DryOptions {
  double multiplier = 0;  // 0: off
  double base = 1.75;
  uint64_t allowed_length = 2;
  uint64_t last_n = UINT64_MAX;  // only these last tokens are looked at
  std::vector<std::string> breakers = {"\n", ":", "\"", "*"};
};

// The text of a token; empty for those without one.
using TokenText = std::function<std::string(uint32_t)>;

class DryPenalty {
 public:
  DryPenalty(DryOptions options, TokenText text) : options_(std::move(options)), text_(std::move(text)) {}

  // Lowers the logits of tokens that would continue a repetition. `tokens`: all so far; those of the last call are at
  // their beginning.
  void apply(std::span<const uint32_t> tokens, std::span<float> logits);

 private:
  void read(std::span<const uint32_t> tokens);
  bool has_breaker(const std::string& text) const;
  void find_repeats(std::span<const uint32_t> tokens);

  DryOptions options_;
  TokenText text_;
  size_t read_ = 0;           // number of tokens that were searched for breakers
  size_t after_breaker_ = 0;  // number of tokens up to the end of the last one
  std::string tail_;          // of the text, in which a breaker may have begun
  // Members only to reuse their memory.
  std::vector<size_t> repeats_;
  std::vector<size_t> lengths_;  // of the longest sequence that a token would continue; zero between calls
};

}  // namespace quintet
