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
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the limit of the official reader
constexpr std::string_view kMetadataName = "__metadata__";
constexpr uint64_t kHeaderAlignment = 8;

// Reads the text of the header, which starts at byte 8. Tensors are in the order of their data, which covers the bytes
// after the header without gap or overlap.
Result<ModelDescription> read_header(std::string_view text);

// Total size of the tensors' data.
uint64_t data_bytes(const ModelDescription& description);

// Sorts the tensors into the order of their data, the widest type first, then by name, and sets their sizes and
// positions. Returns length and JSON, padded with spaces so that the data starts at a multiple of 8. Metadata values
// must be strings; without any, there is no __metadata__.
Result<std::vector<std::byte>> write_header(ModelDescription& description);

}  // namespace quintet::safetensors
