#include "tokenizers/character_class.h"

#include <algorithm>

#include "base/unicode.h"

namespace quintet {

using namespace character_kind;

// Several where only subcategory() tells.
uint16_t possible_kinds(char32_t c) {
  if (is_white_space(c)) return kSpace;
  switch (character_properties(c).category()) {
    case Category::letter:
      return kLetter;
    case Category::number:
      return kNumber;
    case Category::punctuation:
      return kPunctuation;
    case Category::nonspacing_mark:
      return kMark;
    case Category::other:
      return kMark | kSymbol | kOther;
    default:
      return kOther;
  }
}

namespace {

// By Subcategory.
constexpr uint16_t kExactKinds[] = {kOtherNumber | kOther, kUpper, kTitle,  kLower,  kModifier,
                                    kOtherLetter,          kMark,  kSymbol, kDecimal};

// The second look-up is only made where it matters.
bool has_kind(char32_t c, uint16_t kinds) {
  const uint16_t possible = possible_kinds(c);
  const uint16_t wanted = kinds & possible;
  return wanted == possible || (wanted != 0 && (wanted & kExactKinds[static_cast<size_t>(subcategory(c))]) != 0);
}

}  // namespace

void CharacterClass::add_kinds(uint16_t kinds) {
  kinds_ |= kinds;
  for (char32_t c = 0; c < 0x80; ++c) {
    if (has_kind(c, kinds)) ascii_[c / 64] |= uint64_t{1} << (c % 64);
  }
}

void CharacterClass::add_range(Range range) {
  for (char32_t c = range.first; c <= range.last && c < 0x80; ++c) ascii_[c / 64] |= uint64_t{1} << (c % 64);
  if (range.last < 0x80) return;
  auto first = std::ranges::lower_bound(ranges_, range.first, {}, &Range::last);
  auto last = first;
  for (; last != ranges_.end() && last->first <= range.last; ++last) {
    range = {std::min(range.first, last->first), std::max(range.last, last->last)};
  }
  ranges_.insert(ranges_.erase(first, last), range);
}

void CharacterClass::negate() {
  negated_ = !negated_;
  for (uint64_t& bits : ascii_) bits = ~bits;
}

uint16_t CharacterClass::kinds_beyond_ascii() const {
  if (negated_) return kAll - kinds_;
  return ranges_.empty() ? kinds_ : kAll;
}

bool CharacterClass::contains_beyond_ascii(char32_t c) const {
  if (!ranges_.empty()) {
    const auto range = std::ranges::lower_bound(ranges_, c, {}, &Range::last);
    if (range != ranges_.end() && range->first <= c) return !negated_;
  }
  return (kinds_ != 0 && has_kind(c, kinds_)) != negated_;
}

}  // namespace quintet
