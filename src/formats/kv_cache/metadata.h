#pragma once
// The metadata of a KV cache file, which are strings in safetensors.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "formats/safetensors/header.h"

namespace quintet::kv {

// Null if there is none.
inline const std::string* find_text(const Json& metadata, std::string_view key) {
  const Json* value = metadata.find(key);
  return value == nullptr ? nullptr : value->as_string();
}

// FORMAT for a key with the value `found`, null if it is missing. Points to the start of the header, because positions
// of keys in it are not kept.
inline Failure wrong_metadata(std::string_view key, const std::string* found, Reason reason,
                              std::string_view expected) {
  const std::string shown = found == nullptr ? "nothing" : '"' + found->substr(0, 32) + '"';
  return format_error(reason, safetensors::kLengthBytes, "{}: expected {}, found {}", key, expected, shown);
}

// The place of a tensor in the file.
template <class... Values>
QUINTET_INLINE Failure wrong_tensor(const TensorInfo& info, Reason reason, Pattern<sizeof...(Values)> detail,
                                    const Values&... values) {
  return entry_error(Code::format, reason, safetensors::kLengthBytes, info.name, detail, values...);
}

// Decimal numbers below 2^31, separated by commas; an empty text has none.
std::optional<std::vector<uint32_t>> naturals(const std::string& text);
std::string text_of(const std::vector<uint32_t>& numbers);

}  // namespace quintet::kv
