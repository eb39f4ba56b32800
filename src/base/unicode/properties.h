#pragma once
// Character properties for the tokenizers, from the Unicode Character Database. The tables are generated
// (tools/generate_unicode_tables.mjs) and independent of the C library, the locale and the engine, so that a text has
// the same tokens everywhere. The versions are those of the reference, Hugging Face's tokenizers 0.22, which takes its
// properties from several libraries: categories of 16.0 (Oniguruma), lower case of 17.0 (Rust), decompositions and
// combining classes of 9.0 (unicode-normalization-alignments).

#include <cstddef>
#include <cstdint>

namespace quintet {

// General categories, as far as tokenizers distinguish them.
enum class Category : uint8_t {
  other = 0,        // symbols, separators, Me, Mc, unassigned
  control,          // Cc
  format,           // Cf
  private_use,      // Co
  nonspacing_mark,  // Mn
  punctuation,      // Pc, Pd, Ps, Pe, Pi, Pf, Po
  letter,           // Lu, Ll, Lt, Lm, Lo
  number,           // Nd, Nl, No
};

// The version of Unicode in which a character was assigned: some steps of tokenizers treat later characters as
// unassigned.
enum class Age : uint8_t {
  unicode_8 = 0,  // in Unicode 8.0 or before
  unicode_9,      // in 9.0
  later,
};

// The properties of a code point, from one lookup.
class CharacterProperties {
 public:
  explicit constexpr CharacterProperties(uint8_t bits) : bits_(bits) {}

  constexpr Category category() const { return static_cast<Category>(bits_ & 0x07); }
  constexpr bool lowercases() const { return bits_ & 0x08; }
  constexpr bool decomposes() const { return bits_ & 0x10; }  // not for Hangul syllables
  constexpr bool reorders() const { return bits_ & 0x20; }    // the combining class is not 0
  // Only for marks and characters with a category from `control` to `punctuation`.
  constexpr Age age() const { return static_cast<Age>(bits_ >> 6); }

 private:
  uint8_t bits_;
};

// Values beyond U+10FFFF have no properties and map to themselves, here and below.
CharacterProperties character_properties(char32_t c);

// Property White_Space: category Z, and the control characters for spacing.
constexpr bool is_white_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Simple_Lowercase_Mapping. The full mapping differs only for U+0130, which decomposed text does not contain, and for a
// final sigma, which the reference tokenizers ignore.
char32_t to_lowercase(char32_t c);

// Distinctions that category() does not make: categories within L, M, S and N, and white space, which has several.
enum class Subcategory : uint8_t {
  none = 0,
  upper,         // Lu
  title,         // Lt
  lower,         // Ll
  modifier,      // Lm
  other_letter,  // Lo
  mark,          // Mn, Mc, Me
  symbol,        // Sm, Sc, Sk, So
  decimal,       // Nd
  white_space,   // is_white_space()
};
constexpr size_t kSubcategories = 10;
Subcategory subcategory(char32_t c);

// Canonical_Combining_Class.
uint8_t combining_class(char32_t c);

constexpr size_t kMaxDecomposition = 4;

// Writes the full canonical decomposition (NFD) of a code point, at most kMaxDecomposition code points, and returns
// their number: 1 if it does not decompose.
size_t decompose(char32_t c, char32_t* out);

// One step of the decomposition. Requires character_properties(c).decomposes().
struct CanonicalHalves {
  char32_t first;
  char32_t second;  // 0: none
};
CanonicalHalves canonical_halves(char32_t c);

// Hangul syllables are composed by arithmetic (the Unicode Standard, section 3.12).
namespace hangul {
constexpr char32_t kSyllableBase = 0xAC00;
constexpr char32_t kLeadingBase = 0x1100;
constexpr char32_t kVowelBase = 0x1161;
constexpr char32_t kTrailingBase = 0x11A7;  // one before the first: a syllable may have none
constexpr char32_t kLeadings = 19;
constexpr char32_t kVowels = 21;
constexpr char32_t kTrailings = 28;
constexpr char32_t kSyllables = kLeadings * kVowels * kTrailings;
}  // namespace hangul

}  // namespace quintet
