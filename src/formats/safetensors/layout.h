#pragma once
// The fixed parts of a safetensors file.

#include <cstdint>
#include <string_view>

namespace quintet::safetensors {

constexpr uint64_t kLengthBytes = 8;               // of the header, at the beginning of the file
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the official reader's limit
constexpr std::string_view kMetadataName = "__metadata__";
constexpr uint64_t kHeaderAlignment = 8;

}  // namespace quintet::safetensors
