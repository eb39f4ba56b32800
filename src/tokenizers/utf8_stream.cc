#include "tokenizers/utf8_stream.h"

#include "base/utf8.h"

namespace quintet {
namespace {

// Whether bytes that end the input could start a longer character. It suffices to try a continuation byte of each half
// of their range, because no lead byte narrows the range of the next one from both ends.
bool is_incomplete(std::string_view bytes) {
  for (const char continuation : {'\x80', '\xBF'}) {
    std::string longer(bytes);
    longer += continuation;
    if (decode_utf8(longer, 0).bytes > bytes.size()) return true;
  }
  return false;
}

}  // namespace

std::string Utf8Stream::push(std::string_view bytes) {
  pending_ += bytes;
  std::string characters;
  size_t at = 0;
  while (at < pending_.size()) {
    const DecodedCodePoint next = decode_utf8(pending_, at);
    const bool at_end = at + next.bytes == pending_.size();
    if (!next.valid && at_end && is_incomplete(std::string_view(pending_).substr(at))) break;
    append_utf8(next.code_point, characters);
    at += next.bytes;
  }
  pending_.erase(0, at);
  return characters;
}

std::string Utf8Stream::finish() {
  const bool incomplete = !pending_.empty();
  pending_.clear();
  return incomplete ? "\uFFFD" : "";
}

}  // namespace quintet
