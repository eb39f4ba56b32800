#include "base/unicode.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "base/unicode_data.h"
#include "base/utf8.h"

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

// The run that contains `c`, in a list of `first code point << 8 | value`. Requires that there is one.
uint32_t run_value(std::span<const uint32_t> runs, char32_t c) {
  const auto next = std::upper_bound(runs.begin(), runs.end(), (uint32_t{c} << 8) | 0xFF);
  return *std::prev(next) & 0xFF;
}

// From the bytes of the generated table (generate_unicode_tables.mjs, runBytes) to a list for run_value().
std::vector<uint32_t> subcategory_runs() {
  constexpr uint32_t kLong = 15;
  std::vector<uint32_t> runs;
  uint32_t first = 0;
  const uint8_t* at = std::begin(unicode_data::kSubcategoryRuns);
  while (at != std::end(unicode_data::kSubcategoryRuns)) {
    runs.push_back(first << 8 | *at >> 4);
    uint32_t length = *at++ & 15u;
    if (length == kLong) {
      length = 0;
      uint32_t shift = 0;
      do {
        length |= (*at & 0x7Fu) << shift;
        shift += 7;
      } while (*at++ >= 0x80);
    }
    first += length;
  }
  return runs;
}

}  // namespace

CharacterProperties character_properties(char32_t c) {
  using namespace unicode_data;
  if (c > kLastCodePoint) return CharacterProperties(0);
  const uint32_t branch = kLimbs[kRoot[c >> 12] * 16u + (c >> 8) % 16];
  const uint32_t leaf = kBranches[branch * 16 + (c >> 4) % 16];
  return CharacterProperties(kLeaves[leaf * 16 + c % 16]);
}

char32_t to_lowercase(char32_t c) {
  if (!character_properties(c).lowercases()) return c;
  const uint32_t index = run_value(unicode_data::kLowercaseRuns, c);
  return c + static_cast<char32_t>(unicode_data::kLowercaseDeltas[index]);
}

Subcategory subcategory(char32_t c) {
  constexpr uint32_t kTurnsFromEven = 9, kTurnsFromOdd = 10;
  static const std::vector<uint32_t> runs = subcategory_runs();
  if (c > kLastCodePoint) return Subcategory::none;
  const uint32_t value = run_value(runs, c);
  if (value < kTurnsFromEven) return static_cast<Subcategory>(value);
  const bool is_upper = (c % 2 == 0) == (value != kTurnsFromOdd);
  return is_upper ? Subcategory::upper : Subcategory::lower;
}

uint8_t combining_class(char32_t c) {
  if (!character_properties(c).reorders()) return 0;
  return static_cast<uint8_t>(run_value(unicode_data::kCombiningClassRuns, c));
}

CanonicalHalves canonical_halves(char32_t c) {
  using namespace unicode_data;
  const auto* run = std::prev(std::upper_bound(std::begin(kDecompositionRuns), std::end(kDecompositionRuns), c));
  const size_t index = kDecompositionRunIndices[run - kDecompositionRuns] + (c - *run);
  const uint32_t tail = kDecompositionTails[kDecompositionTailIndices[index]];
  return {((tail >> 24) << 16) | kDecompositionFirsts[index], tail & 0xFFFFFF};
}

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
