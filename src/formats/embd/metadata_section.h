#pragma once
// The metadata section of a .weights file: pairs of strings, some of which are required.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/embd/header.h"

namespace quintet::embd {

constexpr std::array<std::string_view, 10> kRequiredKeys = {
    "model_name",          "model_version", "embedding_dim",     "vocab_size",       "num_layers",
    "num_attention_heads", "hidden_size",   "intermediate_size", "max_position_emb", "created_at"};

struct MetadataEntry {
  std::string key;
  std::string value;
  uint64_t value_offset = 0;  // in the file
};
using Metadata = std::vector<MetadataEntry>;

const MetadataEntry* find(const Metadata& metadata, std::string_view key);

// `section` is the whole section, including its header.
Result<Metadata> read_metadata(Bytes section, const Header& header);

}  // namespace quintet::embd
