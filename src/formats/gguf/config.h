#pragma once
// The sizes and switches of a decoder that a GGUF file describes.

#include <string_view>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::gguf {

// Under AMB's names, from the metadata, the tensors and the tokenizer of a GGUF file. Error: another architecture than
// llama, phi2 and phi3, or something that we would compute differently. Such files are read all the same, with an empty
// config; this tells why they cannot be converted.
Result<Json> model_config(const ModelDescription& description);

// Names how text is cut before byte pairs are merged.
constexpr std::string_view kPreTokenizerKey = "tokenizer.ggml.pre";

// AMB's name for it: "gpt2", "llama3" or "starcoder". UNSUPPORTED where it is another. Files older than the key do not
// say; of these Phi-2's are known.
Result<std::string_view> pre_tokenizer(const ModelDescription& description);

}  // namespace quintet::gguf
