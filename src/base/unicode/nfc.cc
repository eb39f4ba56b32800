#include "base/unicode/nfc.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/order.h"
#include "base/unicode/properties.h"
#include "base/unicode/tables.h"
#include "base/utf8.h"

namespace quintet {
namespace {

constexpr int kCodePointBits = 21;
constexpr char32_t kCodePointMask = (1u << kCodePointBits) - 1;

constexpr char32_t kFirstMark = 0x300;          // no character below it combines with the previous one
constexpr unsigned char kFirstMarkLead = 0xCC;  // the first byte of U+0300; smaller bytes start smaller code points

constexpr uint64_t entry(char32_t second, char32_t first, char32_t composed) {
  return uint64_t{second} << 2 * kCodePointBits | uint64_t{first} << kCodePointBits | composed;
}

bool is_syllable(char32_t c) { return c - hangul::kSyllableBase < hangul::kSyllables; }
bool is_vowel(char32_t c) { return c - hangul::kVowelBase < hangul::kVowels; }
bool is_trailing(char32_t c) { return c - (hangul::kTrailingBase + 1) < hangul::kTrailings - 1; }

std::optional<char32_t> compose_syllable(char32_t first, char32_t second) {
  using namespace hangul;
  if (first - kLeadingBase < kLeadings && is_vowel(second)) {
    return kSyllableBase + ((first - kLeadingBase) * kVowels + (second - kVowelBase)) * kTrailings;
  }
  const bool open = is_syllable(first) && (first - kSyllableBase) % kTrailings == 0;
  if (open && is_trailing(second)) return first + (second - kTrailingBase);
  return std::nullopt;
}

bool is_excluded(char32_t c) {
  using unicode_data::kCompositionExclusions;
  const auto* next =
      std::upper_bound(std::begin(kCompositionExclusions), std::end(kCompositionExclusions), uint32_t{c} << 8 | 0xFF);
  if (next == std::begin(kCompositionExclusions)) return false;
  const uint32_t run = *std::prev(next);
  return c - (run >> 8) < (run & 0xFF);
}

// Whether the decomposition of the character is composed to it again. Requires that it decomposes.
bool is_primary_composite(char32_t c, CanonicalHalves halves) {
  return halves.second != 0 && combining_class(c) == 0 && combining_class(halves.first) == 0 && !is_excluded(c);
}

// The canonical ordering algorithm (the Unicode Standard, section 3.11). Combining class, position and code point are
// packed into numbers for sorting, so that marks of one class stay in order.
void put_in_canonical_order(std::vector<char32_t>& text) {
  std::vector<uint64_t> marks;
  const auto put_back = [&](size_t end) {
    if (marks.size() > 1) {
      heap_sort(marks);
      for (size_t i = 0; i < marks.size(); ++i) {
        text[end - marks.size() + i] = static_cast<char32_t>(marks[i] & kCodePointMask);
      }
    }
    marks.clear();
  };
  for (size_t at = 0; at < text.size(); ++at) {
    const uint64_t combining = combining_class(text[at]);
    if (combining == 0) {
      put_back(at);
    } else {
      marks.push_back(combining << 56 | uint64_t{marks.size()} << kCodePointBits | text[at]);
    }
  }
  put_back(text.size());
}

void append_decomposed(char32_t c, std::vector<char32_t>& out) {
  char32_t parts[kMaxDecomposition];
  out.insert(out.end(), parts, parts + decompose(c, parts));
}

}  // namespace

NfcNormalizer::NfcNormalizer() {
  for (const char32_t c : UnicodeTables::get().decomposing()) {
    const CanonicalHalves halves = canonical_halves(c);
    if (is_primary_composite(c, halves)) compositions_.push_back(entry(halves.second, halves.first, c));
  }
  heap_sort(compositions_);
}

bool NfcNormalizer::is_surely_normalized(std::string_view text) {
  return std::ranges::none_of(text, [](char byte) { return static_cast<unsigned char>(byte) >= kFirstMarkLead; });
}

// Whether the character does not change and does not combine with a previous one. Text can be normalized in parts that
// end before such characters.
bool NfcNormalizer::is_boundary(char32_t c) const {
  if (c < kFirstMark || is_syllable(c)) return true;
  if (is_vowel(c) || is_trailing(c)) return false;
  const CharacterProperties properties = character_properties(c);
  if (properties.reorders()) return false;
  if (properties.decomposes() && !is_primary_composite(c, canonical_halves(c))) return false;
  const auto found = std::ranges::lower_bound(compositions_, entry(c, 0, 0));
  return found == compositions_.end() || *found >> 2 * kCodePointBits != c;
}

std::optional<char32_t> NfcNormalizer::compose(char32_t first, char32_t second) const {
  if (const auto syllable = compose_syllable(first, second)) return syllable;
  const uint64_t sought = entry(second, first, 0);
  const auto found = std::ranges::lower_bound(compositions_, sought);
  if (found == compositions_.end() || *found >> kCodePointBits != sought >> kCodePointBits) return std::nullopt;
  return static_cast<char32_t>(*found & kCodePointMask);
}

void NfcNormalizer::normalize(std::string_view text, std::string& out) const {
  std::vector<char32_t> decomposed;
  size_t copied = 0;    // everything before it was appended
  size_t boundary = 0;  // the last such character
  for (size_t at = 0; at < text.size();) {
    DecodedCodePoint next = decode_utf8(text, at);
    if (is_boundary(next.code_point)) {
      boundary = at;
      at += next.bytes;
      continue;
    }
    // The text from the last boundary to the next one.
    out += text.substr(copied, boundary - copied);
    decomposed.clear();
    for (at = boundary; at < text.size(); at += next.bytes) {
      next = decode_utf8(text, at);
      if (at != boundary && is_boundary(next.code_point)) break;
      append_decomposed(next.code_point, decomposed);
    }
    append_composed(decomposed, out);
    copied = boundary = at;
  }
  out += text.substr(copied);
}

// The canonical composition algorithm (same section): each character is composed with the last starter, unless one
// between them has a class that is not lower than its own.
void NfcNormalizer::append_composed(std::vector<char32_t>& text, std::string& out) const {
  put_in_canonical_order(text);
  size_t starter = text.size();  // none yet
  size_t size = 0;               // of the result so far
  uint8_t last_class = 0;        // of its last character
  for (const char32_t c : text) {
    const uint8_t combining = combining_class(c);
    if (starter < size && (starter + 1 == size || last_class < combining)) {
      if (const auto composed = compose(text[starter], c)) {
        text[starter] = *composed;
        continue;
      }
    }
    if (combining == 0) starter = size;
    last_class = combining;
    text[size++] = c;
  }
  for (size_t i = 0; i < size; ++i) append_utf8(text[i], out);
}

void append_nfd(std::string_view text, std::string& out) {
  std::vector<char32_t> decomposed;  // up to the next character below the first mark
  const auto put = [&] {
    put_in_canonical_order(decomposed);
    for (const char32_t c : decomposed) append_utf8(c, out);
    decomposed.clear();
  };
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = decode_utf8(text, at);
    at += next.bytes;
    if (next.code_point < kFirstMark) put();
    append_decomposed(next.code_point, decomposed);
  }
  put();
}

}  // namespace quintet
