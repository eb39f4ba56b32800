#pragma once
// The JSON header of a safetensors file.

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::safetensors {

// Reads the header's text, which begins at byte 8. Tensors come in the order of their data, which covers the bytes
// behind the header without hole and overlap.
Result<ModelDescription> read_header(std::string_view text);

// Bytes of data that the tensors take together.
uint64_t data_bytes(const ModelDescription& description);

}  // namespace quintet::safetensors
