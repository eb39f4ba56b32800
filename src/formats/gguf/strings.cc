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

std::unexpected<Error> too_many(uint64_t at) {
  return format_error(Reason::limit, at, "a list of strings of more than 4 GB");
}

// Lists are looked at through a window of that many bytes: vocabularies have hundreds of thousands of strings, too many
// to ask the stream for each.
constexpr uint64_t kWindow = 16 * 1024;

// Adds strings as long as they lie in the window whole, up to `count`, and returns the bytes that they take. `at` is
// the window's place.
Result<uint64_t> take_strings(Bytes window, uint64_t at, uint64_t count, StringTable& strings) {
  size_t used = 0;
  while (strings.size() < count && window.size() - used >= kLengthBytes) {
    const auto length = load_le<uint64_t>(window, used);
    const size_t begin = used + kLengthBytes;
    if (length > window.size() - begin) break;
    const std::string_view text = as_text(window.subspan(begin, static_cast<size_t>(length)));
    QUINTET_CHECK(check_utf8(text, at + begin));
    if (!strings.add(text)) return too_many(at + used);
    used = begin + text.size();
  }
  return used;
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

Parse<StringTable> read_strings(ByteStream& in, uint64_t count) {
  StringTable strings;
  while (strings.size() < count) {
    QUINTET_CO_TRY(const Bytes window, co_await in.peek(kWindow));
    QUINTET_CO_TRY(const uint64_t taken, take_strings(window, in.offset(), count, strings));
    QUINTET_CO_CHECK(co_await in.skip(taken));
    if (taken != 0) continue;
    // Longer than the window, or than the file.
    const uint64_t at = in.offset();
    QUINTET_CO_TRY(const std::string string, co_await read_string(in, StringTable::kMaxBytes));
    if (!strings.add(string)) co_return too_many(at);
  }
  co_return strings;
}

}  // namespace quintet::gguf
