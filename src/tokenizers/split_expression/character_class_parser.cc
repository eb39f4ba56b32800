#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "tokenizers/split_expression/character_class.h"
#include "tokenizers/split_expression/expression_cursor.h"

namespace quintet {
namespace {

using namespace character_kind;
using Range = CharacterClass::Range;

constexpr int kMaxNestedClasses = 8;

// P8 is our own: category P as Unicode 8.0 had it, which Hugging Face's Punctuation asks for.
struct NamedCategory {
  std::string_view name;
  uint16_t kinds;
};
constexpr NamedCategory kCategories[] = {
    {"L", kLetter},    {"Lu", kUpper},      {"Lt", kTitle},          {"Ll", kLower},
    {"Lm", kModifier}, {"M", kMark},        {"Lo", kOtherLetter},    {"N", kNumber},
    {"Nd", kDecimal},  {"P", kPunctuation}, {"P8", kOldPunctuation}, {"S", kSymbol},
};

// Scripts.txt of Unicode 16.0.
constexpr Range kHan[] = {
    {0x2E80, 0x2E99},   {0x2E9B, 0x2EF3},   {0x2F00, 0x2FD5},   {0x3005, 0x3005},   {0x3007, 0x3007},
    {0x3021, 0x3029},   {0x3038, 0x303B},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xF900, 0xFA6D},
    {0xFA70, 0xFAD9},   {0x16FE2, 0x16FE3}, {0x16FF0, 0x16FF1}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B739},
    {0x2B740, 0x2B81D}, {0x2B820, 0x2CEA1}, {0x2CEB0, 0x2EBE0}, {0x2EBF0, 0x2EE5D}, {0x2F800, 0x2FA1D},
    {0x30000, 0x3134A}, {0x31350, 0x323AF},
};

// \w is alphabetic, a mark, Nd or Pc. In addition to letters, characters of category Nl and circled letters are
// alphabetic.
constexpr Range kOtherWordCharacters[] = {
    {U'_', U'_'},       {0x16EE, 0x16F0},   {0x203F, 0x2040},   {0x2054, 0x2054},   {0x2160, 0x2182},
    {0x2185, 0x2188},   {0x24B6, 0x24E9},   {0x3007, 0x3007},   {0x3021, 0x3029},   {0x3038, 0x303A},
    {0xA6E6, 0xA6EF},   {0xFE33, 0xFE34},   {0xFE4D, 0xFE4F},   {0xFF3F, 0xFF3F},   {0x10140, 0x10174},
    {0x10341, 0x10341}, {0x1034A, 0x1034A}, {0x103D1, 0x103D5}, {0x12400, 0x1246E}, {0x1F130, 0x1F149},
    {0x1F150, 0x1F169}, {0x1F170, 0x1F189},
};
constexpr Range kLatinNumbers[] = {{0xB2, 0xB3}, {0xB9, 0xB9}, {0xBC, 0xBE}};

void add_ranges(std::span<const Range> ranges, CharacterClass& out) {
  for (const Range& range : ranges) out.add_range(range);
}

bool is_alphanumeric(char32_t c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

class ClassParser {
 public:
  ClassParser(ExpressionCursor& cursor, bool ignore_case) : cursor_(cursor), ignore_case_(ignore_case) {}

  void parse(CharacterClass& out);

 private:
  void bracketed(int depth, CharacterClass& out);
  void element(CharacterClass& out);
  // Parses the characters after a backslash. If it is a single character, consumes nothing and returns false.
  bool escaped_set(bool in_brackets, CharacterClass& out);
  void category(CharacterClass& out);
  char32_t character();
  char32_t escaped_character();
  void add_characters(char32_t first, char32_t last, CharacterClass& out);

  ExpressionCursor& cursor_;
  bool ignore_case_;
};

void ClassParser::parse(CharacterClass& out) {
  constexpr std::string_view kReserved = "?*+{}";
  if (cursor_.take("[")) {
    bracketed(0, out);
  } else if (cursor_.take(".")) {
    out.add_range({'\n', '\n'});
    out.negate();
  } else if (kReserved.contains(cursor_.peek())) {
    cursor_.fail("a quantifier or brace");
  } else if (!cursor_.is_at("\\") || !escaped_set(false, out)) {
    const char32_t c = character();
    add_characters(c, c, out);
  }
}

// Parses a class after its opening bracket: elements, and sets between &&, all of which must have the character.
void ClassParser::bracketed(int depth, CharacterClass& out) {
  if (depth > kMaxNestedClasses) cursor_.fail("a class this deep");
  const bool negated = cursor_.take("^");
  CharacterClass opposite;  // complement of what is in front of &&
  bool is_intersection = false;
  if (cursor_.is_at("]")) cursor_.fail("this class");
  do {
    if (cursor_.at_end() || cursor_.is_at("[:")) return cursor_.fail("this class");
    if (cursor_.take("[")) {
      CharacterClass inner;
      bracketed(depth + 1, inner);
      out.add(std::move(inner));
    } else if (cursor_.take("&&")) {
      is_intersection = true;
      out.negate();
      opposite.add(std::exchange(out, {}));
    } else {
      element(out);
    }
  } while (!cursor_.take("]"));
  if (is_intersection) {
    out.negate();
    opposite.add(std::move(out));
    opposite.negate();
    out = std::move(opposite);
  }
  if (negated) out.negate();
}

// Parses a character, a range of them, or an escaped set.
void ClassParser::element(CharacterClass& out) {
  if (cursor_.is_at("\\") && escaped_set(true, out)) return;
  const char32_t first = character();
  char32_t last = first;
  if (cursor_.is_at("-") && !cursor_.is_at("-]")) {
    cursor_.take("-");
    if (cursor_.at_end() || cursor_.is_at("[")) return cursor_.fail("this range");
    last = character();
    if (last < first) return cursor_.fail("this range");
  }
  add_characters(first, last, out);
}

// A capital letter stands for the opposite.
bool ClassParser::escaped_set(bool in_brackets, CharacterClass& out) {
  constexpr std::string_view kSets = "sdwpSDWP";
  const size_t set = kSets.find(cursor_.peek(1));
  if (set == std::string_view::npos) return false;
  cursor_.take_character();
  cursor_.take_character();
  CharacterClass inner;
  switch (set % 4) {
    case 0:
      inner.add_kinds(kSpace);
      break;
    case 1:
      inner.add_kinds(kDecimal);
      break;
    case 2:
      inner = word_characters(in_brackets);
      break;
    default:
      category(inner);
  }
  if (set >= 4) inner.negate();
  out.add(std::move(inner));
  return true;
}

// Parses the name after \p or \P.
void ClassParser::category(CharacterClass& out) {
  const std::string_view name = cursor_.take("{") ? cursor_.take_until('}') : std::string_view();
  if (name == "Han") return add_ranges(kHan, out);
  const auto* found = std::ranges::find(kCategories, name, &NamedCategory::name);
  if (found == std::end(kCategories)) return cursor_.fail("this category");
  out.add_kinds(found->kinds);
}

char32_t ClassParser::character() { return cursor_.take("\\") ? escaped_character() : cursor_.take_character(); }

char32_t ClassParser::escaped_character() {
  constexpr std::string_view kNames = "nrtvf", kNamed = "\n\r\t\v\f";
  const char32_t c = cursor_.at_end() ? U'a' : cursor_.take_character();
  if (c >= 0x80) cursor_.fail("this escape");
  const size_t named = kNames.find(static_cast<char>(c));
  if (named != std::string_view::npos) return static_cast<char32_t>(kNamed[named]);
  if (is_alphanumeric(c)) cursor_.fail("this escape");
  return c;
}

// If case is ignored, two characters beyond ASCII equal ASCII letters: the long s and the Kelvin sign.
void ClassParser::add_characters(char32_t first, char32_t last, CharacterClass& out) {
  out.add_range({first, last});
  const CharacterKinds kinds;
  for (char32_t c = first; ignore_case_ && c <= last; ++c) {
    if (!(kinds.of(c) & (kUpper | kTitle | kLower))) continue;
    if (c >= 0x80) return cursor_.fail("to ignore the case of this letter");
    out.add_range({c ^ 0x20, c ^ 0x20});
    if ((c | 0x20) == 's') out.add_range({U'\u017F', U'\u017F'});
    if ((c | 0x20) == 'k') out.add_range({U'\u212A', U'\u212A'});
  }
}

}  // namespace

CharacterClass parse_character_class(ExpressionCursor& cursor, bool ignore_case) {
  CharacterClass out;
  ClassParser(cursor, ignore_case).parse(out);
  return out;
}

CharacterClass word_characters(bool in_brackets) {
  CharacterClass out;
  out.add_kinds(kLetter | kMark | kDecimal);
  add_ranges(kOtherWordCharacters, out);
  if (!in_brackets) add_ranges(kLatinNumbers, out);
  return out;
}

}  // namespace quintet
