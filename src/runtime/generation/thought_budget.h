#pragma once
// Ends the thoughts of a model after a number of tokens, as llama.cpp's reasoning budget does: the text that closes
// them is then forced, token by token.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/generation/generation_options.h"

namespace quintet {

class ThoughtBudget {
 public:
  // `closing`: the tokens of options.closing.
  ThoughtBudget(ReasoningOptions options, std::vector<uint32_t> closing)
      : options_(std::move(options)), closing_(std::move(closing)) {
    if (options_.begins) begin_thoughts();
  }

  // The token that must come next; nothing if any may.
  std::optional<uint32_t> forced() const;
  // Reads the text of the token that came, which special tokens also have.
  void push(std::string_view text);

 private:
  enum class State : uint8_t { before, thinking, closing, over };

  void begin_thoughts();
  void end_if_used_up();

  ReasoningOptions options_;
  std::vector<uint32_t> closing_;
  State state_ = State::before;
  std::string text_;    // text that may be the beginning or the end of thoughts
  uint64_t count_ = 0;  // tokens of thought, then forced ones
};

}  // namespace quintet
