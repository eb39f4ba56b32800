#pragma once
// A set of characters in a regular expression: [a-z], \p{L}, [^\s\p{N}] and the like.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/unicode/tables.h"

namespace quintet {

// The kind of a character, as far as the expressions of tokenizers distinguish it: its general category, except that
// white space (the property White_Space) is a separate kind. Bits, so that a set of kinds is a sum.
namespace character_kind {
constexpr uint16_t kUpper = 1;               // Lu
constexpr uint16_t kTitle = 2;               // Lt
constexpr uint16_t kLower = 4;               // Ll
constexpr uint16_t kModifier = 8;            // Lm
constexpr uint16_t kOtherLetter = 16;        // Lo
constexpr uint16_t kMark = 32;               // Mn, Mc, Me
constexpr uint16_t kDecimal = 64;            // Nd
constexpr uint16_t kOtherNumber = 128;       // Nl, No
constexpr uint16_t kOldPunctuation = 256;    // Pc, Pd, Ps, Pe, Pi, Pf, Po of Unicode 8.0
constexpr uint16_t kLaterPunctuation = 512;  // and of later versions
constexpr uint16_t kSymbol = 1024;           // Sm, Sc, Sk, So
constexpr uint16_t kSpace = 2048;
constexpr uint16_t kOther = 4096;
constexpr uint16_t kLetter = kUpper | kTitle | kLower | kModifier | kOtherLetter;
constexpr uint16_t kNumber = kDecimal | kOtherNumber;
constexpr uint16_t kPunctuation = kOldPunctuation | kLaterPunctuation;
constexpr uint16_t kAll = 8191;
constexpr size_t kKinds = 13;
}  // namespace character_kind

// The kinds of characters: one bit each.
class CharacterKinds {
 public:
  CharacterKinds();
  uint16_t of(char32_t c) const { return c < kCodePoints ? by_table_kind_[tables_.kind(c)] : character_kind::kOther; }

 private:
  const UnicodeTables& tables_;
  const uint16_t* by_table_kind_;
};

class CharacterClass {
 public:
  struct Range {
    char32_t first, last;
  };

  void add_kinds(uint16_t kinds);
  void add_range(Range range);
  // Adds all of another class.
  void add(CharacterClass other);
  // Keeps exactly the characters that it does not contain so far. Requires that nothing is added afterwards.
  void negate();

  // `kind` is the kind of the character.
  bool contains_beyond_ascii(char32_t c, uint16_t kind) const;
  bool contains_ascii(char32_t c) const { return ascii_[c / 64] >> (c % 64) & 1; }
  // Kinds of characters beyond ASCII that may be in it; it has none of others.
  uint16_t kinds_beyond_ascii() const;
  uint64_t ascii_bits(size_t half) const { return ascii_[half]; }

 private:
  uint64_t ascii_[2] = {};
  uint16_t kinds_ = 0;
  bool negated_ = false;
  std::vector<Range> ranges_;           // ranges beyond ASCII, ascending, apart from each other
  std::vector<CharacterClass> others_;  // classes within it that kinds and ranges cannot express
};

class ExpressionCursor;

// Parses the part of a regular expression that stands for one character: a character, an escape, "." or a class in
// brackets. Requires that the cursor is not at the end. Fails for what split_expression.h does not name, and for
// letters beyond ASCII whose case is to be ignored.
CharacterClass parse_character_class(ExpressionCursor& cursor, bool ignore_case);

// Returns \w, which \b also treats as a word. Outside brackets Oniguruma has six numbers and fractions of Latin-1 more.
CharacterClass word_characters(bool in_brackets);

}  // namespace quintet
