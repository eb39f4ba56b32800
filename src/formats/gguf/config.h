#pragma once
// How the text of a GGUF model is cut into words.

#include <string_view>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::gguf {

// Names how text is cut before byte pairs are merged.
constexpr std::string_view kPreTokenizerKey = "tokenizer.ggml.pre";

// AMB's name for it: "gpt2", "llama3" or "starcoder". UNSUPPORTED where it is another. Files older than the key do not
// say; of these Phi-2's are known.
Result<std::string_view> pre_tokenizer(const ModelDescription& description);

}  // namespace quintet::gguf
