#pragma once
// What a model's tokenizer is, as JSON.

#include <cstdint>

#include "base/json.h"
#include "formats/model_description.h"

namespace quintet {

// { type, size, special { bos, eos, ... }, bytes }, where the model has one. `size`: tokens, which a description whose
// vocabulary was taken no longer knows.
Json describe_tokenizer(const TokenizerDescription& tokenizer, uint64_t size);

}  // namespace quintet
