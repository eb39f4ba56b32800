#include "base/unicode/tables.h"

#include <algorithm>
#include <span>

namespace quintet {
namespace {

// Values that are stored as runs: each once, with its length in bytes of seven bits (generate_unicode_tables.mjs).
class Runs {
 public:
  Runs(std::span<const uint8_t> values, std::span<const uint8_t> lengths)
      : value_(values.data()), length_(lengths.data()) {}

  uint8_t next() {
    while (left_ == 0) begin_run();
    --left_;
    return value_[-1];
  }

 private:
  void begin_run() {
    ++value_;
    uint32_t shift = 0;
    do {
      left_ |= (*length_ & 0x7Fu) << shift;
      shift += 7;
    } while (*length_++ >= 0x80);
  }

  const uint8_t *value_, *length_;
  uint32_t left_ = 0;
};

}  // namespace

const UnicodeTables& UnicodeTables::get() {
  static const UnicodeTables tables;
  return tables;
}

UnicodeTables::UnicodeTables() {
  using namespace unicode_data;
  Runs kinds(kKinds, kKindLengths);
  for (char32_t page = 0; page < pages_.size(); ++page) {
    std::array<uint8_t, kPage> next;
    for (char32_t i = 0; i < kPage; ++i) {
      next[i] = kinds.next();
      const CharacterProperties properties(kKindProperties[next[i]]);
      const auto c = static_cast<char32_t>(page * kPage + i);
      if (properties.reorders()) reordering_.push_back(c);
      if (properties.lowercases()) lowercasing_.push_back(c);
      if (properties.decomposes()) decomposing_.push_back(c);
    }
    // Neighbors are often the same.
    const bool is_new = page == 0 || !std::equal(next.begin(), next.end(), kinds_.end() - kPage);
    if (is_new) kinds_.insert(kinds_.end(), next.begin(), next.end());
    pages_[page] = static_cast<uint8_t>(kinds_.size() / kPage - 1);
  }

  Runs classes(kCombiningClasses, kCombiningClassLengths);
  for (size_t i = 0; i < reordering_.size(); ++i) combining_classes_.push_back(classes.next());
  Runs distances(kLowercases, kLowercaseLengths);
  for (const char32_t c : lowercasing_) {
    lowercases_.push_back(c + static_cast<char32_t>(kLowercaseDistances[distances.next()]));
  }
  uint16_t first = 0;
  for (size_t i = 0; i < decomposing_.size(); ++i) {
    first = static_cast<uint16_t>(first + kDecompositionSteps[i]);
    const uint32_t tail = kDecompositionTails[kDecompositionTailIndices[i]];
    halves_.push_back({.first = (tail >> 24) << 16 | first, .second = tail & 0xFFFFFF});
  }
}

size_t UnicodeTables::index(const std::vector<char32_t>& characters, char32_t c) {
  return static_cast<size_t>(std::ranges::lower_bound(characters, c) - characters.begin());
}

}  // namespace quintet
