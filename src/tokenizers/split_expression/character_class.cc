#include "tokenizers/split_expression/character_class.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace quintet {

using namespace character_kind;

namespace {

// Indexed by Subcategory; 0 where the category decides.
constexpr uint16_t kBySubcategory[kSubcategories] = {0,     kUpper,  kTitle,   kLower, kModifier, kOtherLetter,
                                                     kMark, kSymbol, kDecimal, kSpace};

constexpr uint16_t kind_by(CharacterProperties properties, uint8_t subcategory) {
  if (subcategory != 0) return kBySubcategory[subcategory];
  if (properties.category() == Category::number) return kOtherNumber;
  if (properties.category() != Category::punctuation) return kOther;
  return properties.age() == Age::unicode_8 ? kOldPunctuation : kLaterPunctuation;
}

// Indexed by UnicodeTables::kind().
constexpr auto kByTableKind = [] {
  std::array<uint16_t, std::size(unicode_data::kKindProperties)> kinds = {};
  for (size_t i = 0; i < kinds.size(); ++i) {
    kinds[i] = kind_by(CharacterProperties(unicode_data::kKindProperties[i]), unicode_data::kKindSubcategories[i]);
  }
  return kinds;
}();

}  // namespace

CharacterKinds::CharacterKinds() : tables_(UnicodeTables::get()), by_table_kind_(kByTableKind.data()) {}

void CharacterClass::add_kinds(uint16_t kinds) {
  kinds_ |= kinds;
  const CharacterKinds kind;
  for (char32_t c = 0; c < 0x80; ++c) {
    if (kind.of(c) & kinds) ascii_[c / 64] |= uint64_t{1} << (c % 64);
  }
}

void CharacterClass::add_range(Range range) {
  for (char32_t c = range.first; c <= range.last && c < 0x80; ++c) ascii_[c / 64] |= uint64_t{1} << (c % 64);
  if (range.last < 0x80) return;
  ranges_.push_back(range);
  for (size_t i = ranges_.size() - 1; i > 0 && ranges_[i].first < ranges_[i - 1].first; --i) {
    std::swap(ranges_[i], ranges_[i - 1]);
  }
  // Ranges that overlap become one.
  size_t last = 0;
  for (const Range& each : ranges_) {
    if (each.first > ranges_[last].last) ranges_[++last] = each;
    ranges_[last].last = std::max(ranges_[last].last, each.last);
  }
  while (ranges_.size() != last + 1) ranges_.pop_back();
}

void CharacterClass::add(CharacterClass other) {
  for (size_t half = 0; half < 2; ++half) ascii_[half] |= other.ascii_[half];
  if (other.negated_ || !other.others_.empty()) {
    others_.push_back(std::move(other));
    return;
  }
  kinds_ |= other.kinds_;
  for (const Range& range : other.ranges_) add_range(range);
}

void CharacterClass::negate() {
  negated_ = !negated_;
  for (uint64_t& bits : ascii_) bits = ~bits;
}

uint16_t CharacterClass::kinds_beyond_ascii() const {
  if (!others_.empty()) return kAll;
  if (negated_) return kAll - kinds_;
  return ranges_.empty() ? kinds_ : kAll;
}

bool CharacterClass::contains_beyond_ascii(char32_t c, uint16_t kind) const {
  bool contained = (kind & kinds_) != 0;
  if (!contained && !ranges_.empty()) {
    const auto range = std::ranges::lower_bound(ranges_, c, {}, &Range::last);
    contained = range != ranges_.end() && range->first <= c;
  }
  for (const CharacterClass& other : others_) contained = contained || other.contains_beyond_ascii(c, kind);
  return contained != negated_;
}

}  // namespace quintet
