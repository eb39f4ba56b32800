#pragma once
// The memory of a tokenizer, before it is made.

#include <cstdint>

#include "tokenizers/tokenizer_description.h"

namespace quintet {

// About, of a vocabulary of this many tokens.
uint64_t vocabulary_bytes(uint64_t tokens);

// Of a vocabulary with what finds tokens in it.
uint64_t tokenizer_bytes(const TokenizerDescription& tokenizer);

}  // namespace quintet
