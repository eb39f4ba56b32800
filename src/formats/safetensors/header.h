#pragma once
// The part of a safetensors file that precedes the data: a length and JSON.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::safetensors {

constexpr uint64_t kLengthBytes = 8;               // of the header, at the beginning of the file
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the official reader's limit
constexpr std::string_view kMetadataName = "__metadata__";
constexpr uint64_t kHeaderAlignment = 8;

// Reads the header's text, which begins at byte 8. Tensors come in the order of their data, which covers the bytes
// behind the header without hole and overlap.
Result<ModelDescription> read_header(std::string_view text);

// Bytes of data that the tensors take together.
uint64_t data_bytes(const ModelDescription& description);

// Puts the tensors into the order in which their data must follow, the widest type first, then by name, and sets their
// sizes and places. Returns length and JSON, padded with spaces so that the data begins at a multiple of 8. Metadata is
// text; without any, there is no __metadata__.
Result<std::vector<std::byte>> write_header(ModelDescription& description);

}  // namespace quintet::safetensors
