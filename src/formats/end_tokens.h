#pragma once
// Which tokens end an answer: those that a file names, and those whose text says so in every model that has them.

#include "formats/model_description.h"

namespace quintet {

// Adds the token of end and those known by their text to `tokenizer.ends`. All of them become control tokens where they
// are none, but for tokens that merges make: Qwen 2's "</s>" is text.
void complete_end_tokens(TokenizerDescription& tokenizer);

// Whether the file says no more of ends than complete_end_tokens() finds without it.
bool are_ends_implied(const TokenizerDescription& tokenizer);

}  // namespace quintet
