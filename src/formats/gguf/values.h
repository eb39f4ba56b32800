#pragma once
// Metadata values, as JSON.

#include "base/byte_stream.h"
#include "base/json.h"
#include "base/task.h"
#include "formats/gguf/value_type.h"

namespace quintet::gguf {

Parse<ValueType> read_value_type(ByteStream& in);

// The value that comes next. Arrays that are too long to be listed are checked and summed up.
Parse<Json> read_value(ByteStream& in, ValueType type);

struct ArrayHead {
  ValueType type = ValueType::u8;  // of the elements
  uint64_t length = 0;             // such that the elements can lie in the rest of the file
};
Parse<ArrayHead> read_array_head(ByteStream& in);

// Arrays of up to this many elements are listed. Of a longer one only this remains:
// {"array_of": "string", "length": 32000}.
constexpr uint64_t kMaxListed = 1024;
Json sum_up(const ArrayHead& head);

}  // namespace quintet::gguf
