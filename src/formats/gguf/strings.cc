#include "formats/gguf/strings.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "base/utf8.h"
#include "formats/gguf/layout.h"

namespace quintet::gguf {
namespace {

// `at` is the place of the length.
Status check_length(const ByteStream& in, uint64_t at, uint64_t length, uint64_t most) {
  if (length <= most && length <= in.remaining()) return {};
  return format_error(Reason::limit, at,
                      "a string of " + std::to_string(length) + " bytes, at most " +
                          std::to_string(std::min(most, in.remaining())) + " are possible");
}

Status check_utf8(std::string_view text, uint64_t at) {
  const auto bad = find_invalid_utf8(text);
  if (!bad) return {};
  return format_error(Reason::invalid_utf8, at + *bad, "text that is not UTF-8");
}

}  // namespace

Parse<std::string> read_string(ByteStream& in, uint64_t most) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes prefix, co_await in.bytes(kLengthBytes));
  const auto length = load_le<uint64_t>(prefix, 0);
  QUINTET_CO_CHECK(check_length(in, at, length, most));
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(length));
  QUINTET_CO_CHECK(check_utf8(as_text(bytes), at + kLengthBytes));
  co_return std::string(as_text(bytes));
}

// Not by read_string(), which would take memory for each: vocabularies have hundreds of thousands of strings.
Parse<StringTable> read_strings(ByteStream& in, uint64_t count) {
  StringTable strings;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = in.offset();
    QUINTET_CO_TRY(const Bytes prefix, co_await in.bytes(kLengthBytes));
    const auto length = load_le<uint64_t>(prefix, 0);
    QUINTET_CO_CHECK(check_length(in, at, length, StringTable::kMaxBytes));
    QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(length));
    QUINTET_CO_CHECK(check_utf8(as_text(bytes), at + kLengthBytes));
    if (!strings.add(as_text(bytes))) {
      co_return format_error(Reason::limit, at, "a list of strings of more than 4 GB");
    }
  }
  co_return strings;
}

}  // namespace quintet::gguf
