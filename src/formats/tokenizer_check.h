#pragma once
// What a tokenizer must keep to for a model with n_vocab tokens; readers let it pass, loading and validation do not.

#include <cstdint>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// Ids and special ids below n_vocab, no id twice, no more tokens than the model has.
Status check_tokenizer(const TokenizerDescription& tokenizer, uint64_t n_vocab);

}  // namespace quintet
