#pragma once
// The special tokens that a file does not tell: those of BERT, by their text, and those that end an answer.

#include "formats/model_description.h"

namespace quintet {

// Their ids where a file does not tell them; a token that is not there has none, of several the first counts.
SpecialIds bert_special_ids(const StringTable& tokens);

// Adds the token of end and those known by their text to `tokenizer.ends`. All of them become control tokens where they
// are none, but for tokens that merges make: Qwen 2's "</s>" is text.
void complete_end_tokens(TokenizerDescription& tokenizer);

// Whether the file says no more of ends than complete_end_tokens() finds without it.
bool are_ends_implied(const TokenizerDescription& tokenizer);

}  // namespace quintet
