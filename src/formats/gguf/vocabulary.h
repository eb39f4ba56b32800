#pragma once
// The tokenizer of a GGUF file.

#include "base/result.h"
#include "formats/gguf/metadata.h"

namespace quintet::gguf {

// Takes the vocabulary's lists out of the metadata. TokenizerType::none where tokenizer.ggml.model is absent or names a
// tokenizer that we do not know.
Result<TokenizerDescription> read_vocabulary(Metadata& metadata);

}  // namespace quintet::gguf
