#pragma once
// The tokenizer of a GGUF file.

#include "base/result.h"
#include "formats/gguf/metadata.h"

namespace quintet::gguf {

// Removes the vocabulary's lists from the metadata. TokenizerType::none if tokenizer.ggml.model is absent or names an
// unknown tokenizer.
Result<TokenizerDescription> read_vocabulary(Metadata& metadata);

}  // namespace quintet::gguf
