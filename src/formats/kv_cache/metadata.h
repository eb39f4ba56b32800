#pragma once
// The metadata of a KV cache file: texts, as safetensors has them.

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/safetensors/header.h"

namespace quintet::kv {

// Null where there is none.
inline const std::string* find_text(const Json& metadata, std::string_view key) {
  const Json* value = metadata.find(key);
  return value == nullptr ? nullptr : value->as_string();
}

// FORMAT: a key whose text is `found`, null where it is missing. Points at the header's beginning: where in it a key
// stands is not kept.
inline std::unexpected<Error> wrong_metadata(std::string_view key, const std::string* found, Reason reason,
                                             std::string_view expected) {
  const std::string shown = found == nullptr ? "nothing" : '"' + found->substr(0, 32) + '"';
  return format_error(reason, safetensors::kLengthBytes,
                      std::string(key) + ": expected " + std::string(expected) + ", found " + shown);
}

}  // namespace quintet::kv
