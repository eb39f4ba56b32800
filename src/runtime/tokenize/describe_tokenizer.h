#pragma once
// Describes a model's tokenizer as JSON.

#include <cstdint>

#include "base/json.h"
#include "formats/model_description.h"

namespace quintet {

// { type, size, special { bos, eos, ... }, bytes }, as far as the model has them. `size`: number of tokens, which a
// description without its vocabulary no longer has.
Json describe_tokenizer(const TokenizerDescription& tokenizer, uint64_t size);

}  // namespace quintet
