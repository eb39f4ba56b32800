#pragma once
// Tokens whose kind a file does not define: special tokens of BERT, by their text, those of bytes, and end-of-sequence
// tokens.

#include <string_view>

#include "formats/model_description.h"

namespace quintet {

// Returns the ids of BERT's special tokens, for a file that does not define them. Tokens that do not exist have none;
// if there are several with the text, the first counts.
SpecialIds bert_special_ids(const StringTable& tokens);

// Whether this is a piece for one byte: "<0x0A>".
bool is_byte_token(std::string_view text);

// Adds the end-of-sequence token and those known by their text to `tokenizer.ends`. All of them, and Gemma's
// <start_of_turn>, become control tokens, except for tokens that merges produce: Qwen 2's "</s>" is text.
void complete_end_tokens(TokenizerDescription& tokenizer);

// Whether the file defines no more ends than complete_end_tokens() finds without it.
bool are_ends_implied(const TokenizerDescription& tokenizer);

}  // namespace quintet
