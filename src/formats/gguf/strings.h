#pragma once
// Strings as GGUF stores them: u64 length, then UTF-8.

#include <string>

#include "base/byte_stream.h"
#include "base/string_table.h"
#include "base/task.h"

namespace quintet::gguf {

// The string that comes next; longer than `most` is an error.
Parse<std::string> read_string(ByteStream& in, uint64_t most = UINT64_MAX);

// The `count` strings that come next.
Parse<StringTable> read_strings(ByteStream& in, uint64_t count);

}  // namespace quintet::gguf
