#pragma once
// The types of metadata values.

#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/json.h"
#include "formats/gguf/layout.h"

namespace quintet::gguf {

// "uint32", "string", "array".
std::string_view name_of(ValueType type);

// Bytes of one value; 0 for strings and arrays.
uint64_t bytes_of(ValueType type);

// The number or truth value at the beginning of `bytes`, which are enough; nothing for a truth value that is neither 0
// nor 1.
std::optional<Json> number_at(ValueType type, Bytes bytes);

}  // namespace quintet::gguf
