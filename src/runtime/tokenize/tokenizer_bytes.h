#pragma once
// The memory of a tokenizer, before it is made.

#include <cstdint>

#include "tokenizers/tokenizer_description.h"

namespace quintet {

// Bytes of a vocabulary of this many tokens, about.
uint64_t vocabulary_bytes(uint64_t tokens);

// Bytes of a vocabulary and of the tables that find tokens in it.
uint64_t tokenizer_bytes(const TokenizerDescription& tokenizer);

}  // namespace quintet
