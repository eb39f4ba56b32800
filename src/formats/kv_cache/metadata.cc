#include "formats/kv_cache/metadata.h"

#include "formats/safetensors/header.h"

namespace quintet::kv {

const std::string* find_text(const Json& metadata, std::string_view key) {
  const Json* value = metadata.find(key);
  return value == nullptr ? nullptr : value->as_string();
}

// Points at the header's beginning: where in it a key stands is not kept.
std::unexpected<Error> wrong_metadata(std::string_view key, const std::string* found, Reason reason,
                                      std::string_view expected) {
  const std::string shown = found == nullptr ? "nothing" : '"' + found->substr(0, 32) + '"';
  return format_error(reason, safetensors::kLengthBytes,
                      std::string(key) + ": expected " + std::string(expected) + ", found " + shown);
}

}  // namespace quintet::kv
