#pragma once
// The requirements of a model with n_vocab tokens on its tokenizer. Readers do not check them; loading and validation
// do.

#include <cstdint>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// Ids and special ids must be below n_vocab, ids unique, and tokens no more than those of the model.
Status check_tokenizer(const TokenizerDescription& tokenizer, uint64_t n_vocab);

}  // namespace quintet
