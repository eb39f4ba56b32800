#pragma once
// Metadata values, as JSON, and strings: u64 length, then UTF-8.

#include <optional>
#include <string>
#include <string_view>

#include "base/byte_stream.h"
#include "base/bytes.h"
#include "base/json.h"
#include "base/string_table.h"
#include "base/task.h"
#include "formats/gguf/layout.h"

namespace quintet::gguf {

// The next string. One longer than `max` is an error.
Parse<std::string> read_string(ByteStream& in, uint64_t max = UINT64_MAX);

// The next `count` strings.
Parse<StringTable> read_strings(ByteStream& in, uint64_t count);

// "uint32", "string", "array".
std::string_view name_of(ValueType type);

// Bytes of one value; 0 for strings and arrays.
uint64_t bytes_of(ValueType type);

// The number or bool at the start of `bytes`, which are enough; nothing for a bool that is neither 0 nor 1.
std::optional<Json> number_at(ValueType type, Bytes bytes);

Parse<ValueType> read_value_type(ByteStream& in);

// The next value. Arrays that are too long to be listed are checked and summarized.
Parse<Json> read_value(ByteStream& in, ValueType type);

struct ArrayHead {
  ValueType type = ValueType::u8;  // of the elements
  uint64_t length = 0;             // fits the rest of the file
};
Parse<ArrayHead> read_array_head(ByteStream& in);

// Arrays of up to this many elements are listed. A longer one is summarized as {"array_of": "string", "length": 32000}.
constexpr uint64_t kMaxListed = 1024;
Json sum_up(const ArrayHead& head);

}  // namespace quintet::gguf
