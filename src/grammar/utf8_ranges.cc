#include "grammar/utf8_ranges.h"

#include <algorithm>

namespace quintet::grammar {
namespace {

// The last code points of one, two, three and four bytes.
constexpr std::array<char32_t, kMaxUtf8Bytes> kLastOfLength = {0x7F, 0x7FF, 0xFFFF, kLastCodePoint};

constexpr char32_t kContinuationBits = 6;

// `range` has code points of one length. Its parts are appended to `sequences`.
void append_sequences(CodeRange range, size_t length, std::vector<ByteSequence>& sequences) {
  for (size_t trailing = 1; trailing < length; ++trailing) {
    const char32_t low = (char32_t{1} << (kContinuationBits * trailing)) - 1;
    if ((range.first & ~low) == (range.last & ~low)) break;
    // The leading bytes differ, so the trailing ones must take all values.
    if ((range.first & low) != 0) {
      append_sequences({range.first, range.first | low}, length, sequences);
      append_sequences({(range.first | low) + 1, range.last}, length, sequences);
      return;
    }
    if ((range.last & low) != low) {
      append_sequences({range.first, (range.last & ~low) - 1}, length, sequences);
      append_sequences({range.last & ~low, range.last}, length, sequences);
      return;
    }
  }
  char first[kMaxUtf8Bytes];
  char last[kMaxUtf8Bytes];
  encode_utf8(range.first, first);
  encode_utf8(range.last, last);
  ByteSequence sequence = {.size = length};
  for (size_t i = 0; i < length; ++i) {
    sequence.bytes[i] = {static_cast<uint8_t>(first[i]), static_cast<uint8_t>(last[i])};
  }
  sequences.push_back(sequence);
}

}  // namespace

std::vector<ByteSequence> utf8_ranges(const CharacterSet& set) {
  std::vector<ByteSequence> sequences;
  for (CodeRange range : set) {
    for (size_t length = 1; length <= kMaxUtf8Bytes; ++length) {
      const char32_t last = kLastOfLength[length - 1];
      if (range.first > last) continue;
      append_sequences({range.first, std::min(range.last, last)}, length, sequences);
      if (range.last <= last) break;
      range.first = last + 1;
    }
  }
  return sequences;
}

}  // namespace quintet::grammar
