#pragma once
// The tables of data.h, which are made to be small, expanded for fast lookup.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/unicode/data.h"
#include "base/unicode/properties.h"

namespace quintet {

constexpr char32_t kCodePoints = 0x110000;

class UnicodeTables {
 public:
  // Expanded when they are first used, in a few milliseconds.
  static const UnicodeTables& get();

  CharacterProperties properties(char32_t c) const {
    return CharacterProperties(c < kCodePoints ? unicode_data::kKindProperties[kind(c)] : uint8_t{0});
  }
  Subcategory subcategory(char32_t c) const {
    return c < kCodePoints ? static_cast<Subcategory>(unicode_data::kKindSubcategories[kind(c)]) : Subcategory::none;
  }
  // Require a character that reorders, has a lower case, or decomposes.
  uint8_t combining_class(char32_t c) const { return combining_classes_[index(reordering_, c)]; }
  char32_t lowercase(char32_t c) const { return lowercases_[index(lowercasing_, c)]; }
  CanonicalHalves halves(char32_t c) const { return halves_[index(decomposing_, c)]; }

  const std::vector<char32_t>& decomposing() const { return decomposing_; }
  // Index of its properties and subcategory in the tables. Requires c < kCodePoints.
  uint8_t kind(char32_t c) const { return kinds_[pages_[c / kPage] * kPage + c % kPage]; }

 private:
  static constexpr size_t kPage = 256;

  UnicodeTables();
  static size_t index(const std::vector<char32_t>& characters, char32_t c);

  std::array<uint8_t, kCodePoints / kPage> pages_;
  std::vector<uint8_t> kinds_;                                    // [pages][kPage]
  std::vector<char32_t> reordering_, lowercasing_, decomposing_;  // sorted
  std::vector<uint8_t> combining_classes_;                        // of the characters in reordering_, and so on
  std::vector<char32_t> lowercases_;
  std::vector<CanonicalHalves> halves_;
};

}  // namespace quintet
