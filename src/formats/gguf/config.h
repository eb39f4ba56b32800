#pragma once
// The sizes and switches of a decoder that a GGUF file describes.

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::gguf {

// Under AMB's names, from the metadata, the tensors and the tokenizer of a GGUF file. Error: another architecture than
// llama, phi2 and phi3, or something that we would compute differently. Such files are read all the same, with an empty
// config; this tells why they cannot be converted.
Result<Json> model_config(const ModelDescription& description);

}  // namespace quintet::gguf
