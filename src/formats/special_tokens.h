#pragma once
// Special tokens that a file does not define: those of BERT, by their text, and end-of-sequence tokens.

#include "formats/model_description.h"

namespace quintet {

// Their ids, for a file that does not define them. Tokens that do not exist have none; if there are several with the
// text, the first counts.
SpecialIds bert_special_ids(const StringTable& tokens);

// Adds the end-of-sequence token and those known by their text to `tokenizer.ends`. All of them, and Gemma's
// <start_of_turn>, become control tokens, except for tokens that merges produce: Qwen 2's "</s>" is text.
void complete_end_tokens(TokenizerDescription& tokenizer);

// Whether the file defines no more ends than complete_end_tokens() finds without it.
bool are_ends_implied(const TokenizerDescription& tokenizer);

}  // namespace quintet
