#include "base/unicode/properties.h"

#include "base/unicode/tables.h"

namespace quintet {
namespace {

size_t decompose_syllable(char32_t syllable, char32_t* out) {
  using namespace hangul;
  out[0] = kLeadingBase + syllable / (kVowels * kTrailings);
  out[1] = kVowelBase + syllable / kTrailings % kVowels;
  const char32_t trailing = syllable % kTrailings;
  out[2] = kTrailingBase + trailing;
  return trailing == 0 ? 2 : 3;
}

}  // namespace

CharacterProperties character_properties(char32_t c) { return UnicodeTables::get().properties(c); }

char32_t to_lowercase(char32_t c) {
  return character_properties(c).lowercases() ? UnicodeTables::get().lowercase(c) : c;
}

Subcategory subcategory(char32_t c) { return UnicodeTables::get().subcategory(c); }

uint8_t combining_class(char32_t c) {
  return character_properties(c).reorders() ? UnicodeTables::get().combining_class(c) : uint8_t{0};
}

CanonicalHalves canonical_halves(char32_t c) { return UnicodeTables::get().halves(c); }

size_t decompose(char32_t c, char32_t* out) {
  if (c - hangul::kSyllableBase < hangul::kSyllables) return decompose_syllable(c - hangul::kSyllableBase, out);
  if (!character_properties(c).decomposes()) {
    out[0] = c;
    return 1;
  }
  // Only the first half may decompose further, as the standard guarantees and a test checks.
  const CanonicalHalves halves = canonical_halves(c);
  size_t size = decompose(halves.first, out);
  if (halves.second != 0) out[size++] = halves.second;
  return size;
}

}  // namespace quintet
