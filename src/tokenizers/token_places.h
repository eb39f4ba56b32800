#pragma once
// Finds the places of a text's tokens. Tokenizers normalize a text before they split it, so they only have what each
// token spells; the places are found by normalizing the text again, character by character.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/result.h"

namespace quintet {

// The spelling of a text's tokens, one after another, and where in it each of them ends.
struct TokenSpelling {
  std::string text;
  std::vector<size_t> ends;
  std::string_view space = " ";  // how it spells white space, if it does
};

// A part of a text in UTF-16 code units, as JavaScript counts them.
struct TokenPlace {
  uint32_t begin, end;
  bool operator==(const TokenPlace&) const = default;
};

// Returns the place of each token in UTF-8 text. As in huggingface/tokenizers (tokenizer/normalizer.rs), what a
// character becomes has the place of that character, what several become together has their places in order, and what
// is inserted has that of the next one. Places do not begin or end with white space, unless there is nothing else.
// `normalized`: the tokenizer's form of a part of a text.
Result<std::vector<TokenPlace>> find_token_places(std::string_view text, const TokenSpelling& spelling,
                                                  FunctionRef<Result<std::string>(std::string_view)> normalized);

}  // namespace quintet
