#pragma once
// The metadata section of a .weights file: pairs of strings.

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/weights/header.h"

namespace quintet::weights {

struct MetadataEntry {
  std::string key;
  std::string value;
  uint64_t value_offset = 0;  // in the file
};
using Metadata = std::vector<MetadataEntry>;

const MetadataEntry* find(const Metadata& metadata, std::string_view key);

// `section` is all of the section, header included.
Result<Metadata> read_metadata(Bytes section, const Header& header);

}  // namespace quintet::weights
