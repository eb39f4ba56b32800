#pragma once
// Characters as sequences of byte ranges, so that an automaton over bytes reads UTF-8.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/utf8.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

struct ByteRange {
  uint8_t first = 0;
  uint8_t last = 0;
};

// All characters whose UTF-8 has `size` bytes, each within its range.
struct ByteSequence {
  std::array<ByteRange, kMaxUtf8Bytes> bytes = {};
  size_t size = 0;
};

// Together they are exactly the characters of the set. A range of code points needs few of them: it is divided where
// the number of bytes changes, and until what follows the first differing byte takes all its values (Cox 2010, "Regular
// Expression Matching in the Wild").
std::vector<ByteSequence> utf8_ranges(const CharacterSet& set);

}  // namespace quintet::grammar
