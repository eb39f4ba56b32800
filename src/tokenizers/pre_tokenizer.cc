#include "tokenizers/pre_tokenizer.h"

#include <algorithm>
#include <iterator>

#include "base/unicode.h"
#include "base/utf8.h"

namespace quintet {
namespace {

enum class Kind : uint8_t { end, letter, number, space, other };

constexpr char32_t kLongS = 0x17F;  // the only letter beyond ASCII that equals s when case is ignored

Kind kind_of_ascii(char32_t c) {
  const char32_t lower = c | 0x20;
  if (lower >= 'a' && lower <= 'z') return Kind::letter;
  if (c >= '0' && c <= '9') return Kind::number;
  return is_white_space(c) ? Kind::space : Kind::other;
}

Kind kind_of(char32_t c) {
  if (c < 0x80) return kind_of_ascii(c);
  if (is_white_space(c)) return Kind::space;
  switch (character_properties(c).category()) {
    case Category::letter:
      return Kind::letter;
    case Category::number:
      return Kind::number;
    default:
      return Kind::other;
  }
}

// How characters count: a number can be the end of the text, and a mark
// (category M) a letter.
enum class Reading : uint8_t { plain, numbers_end, marks_are_letters };

// The characters of a text, one at a time.
class Cursor {
 public:
  Cursor(std::string_view text, size_t at, Reading reading) : text_(text), at_(at), reading_(reading) { look(); }

  size_t at() const { return at_; }
  Kind kind() const { return kind_; }
  char32_t character() const { return character_; }
  bool is_line_end() const { return character_ == '\r' || character_ == '\n'; }
  bool is_mark() const { return character_ >= 0x80 && subcategory(character_) == Subcategory::mark; }

  void advance() {
    at_ += bytes_;
    look();
  }
  void skip(Kind kind) {
    while (kind_ == kind) advance();
  }

 private:
  void look() {
    if (at_ == text_.size()) return end();
    const DecodedCodePoint decoded = decode_utf8(text_, at_);
    character_ = decoded.code_point;
    bytes_ = decoded.bytes;
    kind_ = kind_of(character_);
    if (reading_ == Reading::numbers_end && kind_ == Kind::number) end();
    if (reading_ == Reading::marks_are_letters && kind_ == Kind::other && is_mark()) kind_ = Kind::letter;
  }
  void end() {
    kind_ = Kind::end;
    character_ = 0;
    bytes_ = 0;
  }

  std::string_view text_;
  size_t at_;
  Reading reading_;
  Kind kind_ = Kind::end;
  char32_t character_ = 0;
  uint8_t bytes_ = 0;
};

char32_t folded(char32_t c, bool ignore_case) {
  if (!ignore_case) return c;
  return c == kLongS ? 's' : c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

// 's|'t|'re|'ve|'m|'ll|'d after the apostrophe, at the cursor, which is moved
// past the match.
bool take_contraction(Cursor& cursor, bool ignore_case) {
  Cursor ahead = cursor;
  const char32_t first = folded(ahead.character(), ignore_case);
  ahead.advance();
  if (first != 's' && first != 't' && first != 'm' && first != 'd') {
    const char32_t second = folded(ahead.character(), ignore_case);
    const bool two = (second == 'e' && (first == 'r' || first == 'v')) || (second == 'l' && first == 'l');
    if (!two) return false;
    ahead.advance();
  }
  cursor = ahead;
  return true;
}

bool take_apostrophe_and_contraction(Cursor& cursor, bool ignore_case) {
  if (cursor.character() != '\'') return false;
  Cursor ahead = cursor;
  ahead.advance();
  if (!take_contraction(ahead, ignore_case)) return false;
  cursor = ahead;
  return true;
}

// \s+(?!\S)|\s+ : white space except for the last character, which belongs to
// the next word, if there is one and it is not all.
size_t end_of_space(Cursor cursor) {
  const size_t begin = cursor.at();
  size_t last = begin;
  while (cursor.kind() == Kind::space) {
    last = cursor.at();
    cursor.advance();
  }
  return cursor.kind() == Kind::end || last == begin ? cursor.at() : last;
}

size_t end_of_gpt2(Cursor cursor) {
  if (take_apostrophe_and_contraction(cursor, false)) return cursor.at();
  Cursor word = cursor;
  if (word.character() == ' ') word.advance();
  const Kind kind = word.kind();
  if (kind == Kind::space || kind == Kind::end) return end_of_space(cursor);
  word.skip(kind);
  return word.at();
}

// [^\r\n\p{L}\p{N}]?\p{L}+
bool take_letters(Cursor& cursor) {
  Cursor word = cursor;
  if (word.kind() != Kind::letter && word.kind() != Kind::number && !word.is_line_end()) word.advance();
  if (word.kind() != Kind::letter) return false;
  word.skip(Kind::letter);
  cursor = word;
  return true;
}

size_t end_of_numbers(Cursor cursor, int most) {
  for (int i = 0; i < most && cursor.kind() == Kind::number; ++i) cursor.advance();
  return cursor.at();
}

//  ?[^\s\p{L}\p{N}]+[\r\n]*, or [\r\n/]* at the end
bool take_others(Cursor& cursor, bool with_slashes) {
  Cursor word = cursor;
  if (word.character() == ' ') word.advance();
  if (word.kind() != Kind::other) return false;
  word.skip(Kind::other);
  while (word.is_line_end() || (with_slashes && word.character() == '/')) word.advance();
  cursor = word;
  return true;
}

// \s*[\r\n]+ : white space up to the last line end in it.
bool take_lines(Cursor& cursor) {
  Cursor ahead = cursor;
  bool found = false;
  while (ahead.kind() == Kind::space) {
    const bool line_end = ahead.is_line_end();
    ahead.advance();
    if (line_end) {
      cursor = ahead;
      found = true;
    }
  }
  return found;
}

// `numbers`: maximum per word.
size_t end_of_llama3(Cursor cursor, int numbers) {
  if (take_apostrophe_and_contraction(cursor, true) || take_letters(cursor)) return cursor.at();
  if (cursor.kind() == Kind::number) return end_of_numbers(cursor, numbers);
  if (take_others(cursor, false) || take_lines(cursor)) return cursor.at();
  return end_of_space(cursor);
}

Subcategory case_of(const Cursor& cursor) {
  const char32_t c = cursor.character();
  if (c >= 0x80) return subcategory(c);
  if (cursor.kind() != Kind::letter) return Subcategory::none;
  return c >= 'a' ? Subcategory::lower : Subcategory::upper;
}

// [\p{Lm}\p{Lo}\p{M}]
bool is_caseless(const Cursor& cursor) {
  const Subcategory letter = case_of(cursor);
  return letter == Subcategory::modifier || letter == Subcategory::other_letter || letter == Subcategory::mark;
}
bool is_upper_or_caseless(const Cursor& cursor) {
  return case_of(cursor) == Subcategory::upper || case_of(cursor) == Subcategory::title || is_caseless(cursor);
}
bool is_lower_or_caseless(const Cursor& cursor) { return case_of(cursor) == Subcategory::lower || is_caseless(cursor); }

// U*D+ of gpt4o. If no lower-case letter follows U*, it backs off to its last
// caseless one, which then is all of D+.
bool take_upper_then_lower(Cursor& cursor) {
  Cursor ahead = cursor;
  Cursor after_caseless = cursor;
  while (is_upper_or_caseless(ahead)) {
    const bool caseless = is_caseless(ahead);
    ahead.advance();
    if (caseless) after_caseless = ahead;
  }
  if (!is_lower_or_caseless(ahead)) {
    ahead = after_caseless;
  } else {
    while (is_lower_or_caseless(ahead)) ahead.advance();
  }
  const bool found = ahead.at() != cursor.at();
  cursor = ahead;
  return found;
}

// U+D* of gpt4o where U*D+ does not match, so that no lower-case letter
// follows.
bool take_upper(Cursor& cursor) {
  const size_t begin = cursor.at();
  while (is_upper_or_caseless(cursor)) cursor.advance();
  return cursor.at() != begin;
}

// [^\r\n\p{L}\p{N}]? and then what `take` takes, with the optional character if
// possible.
bool take_behind_optional(Cursor& cursor, bool (*take)(Cursor&)) {
  Cursor word = cursor;
  if (word.kind() != Kind::letter && word.kind() != Kind::number && !word.is_line_end()) {
    word.advance();
    if (take(word)) {
      cursor = word;
      return true;
    }
  }
  return take(cursor);
}

size_t end_of_gpt4o(Cursor cursor, int numbers, bool with_contractions) {
  if (take_behind_optional(cursor, take_upper_then_lower) || take_behind_optional(cursor, take_upper)) {
    if (with_contractions) take_apostrophe_and_contraction(cursor, true);
    return cursor.at();
  }
  if (cursor.kind() == Kind::number) return end_of_numbers(cursor, numbers);
  if (take_others(cursor, true) || take_lines(cursor)) return cursor.at();
  return end_of_space(cursor);
}

size_t end_of_starcoder(std::string_view text, size_t at) {
  const DecodedCodePoint first = decode_utf8(text, at);
  if (kind_of(first.code_point) == Kind::number) return at + first.bytes;
  return end_of_gpt2(Cursor(text, at, Reading::numbers_end));
}

struct NamedPattern {
  std::string_view name;
  WordPattern pattern;
};
constexpr NamedPattern kPatterns[] = {
    {"gpt2", WordPattern::gpt2},           {"llama3", WordPattern::llama3}, {"qwen2", WordPattern::qwen2},
    {"qwen35", WordPattern::qwen35},       {"gpt4o", WordPattern::gpt4o},   {"tekken", WordPattern::tekken},
    {"starcoder", WordPattern::starcoder},
};

}  // namespace

std::optional<WordPattern> word_pattern_named(std::string_view name) {
  const auto* found = std::ranges::find(kPatterns, name, &NamedPattern::name);
  return found == std::end(kPatterns) ? std::nullopt : std::optional(found->pattern);
}

size_t word_end(WordPattern pattern, std::string_view text, size_t at) {
  switch (pattern) {
    case WordPattern::llama3:
      return end_of_llama3(Cursor(text, at, Reading::plain), 3);
    case WordPattern::qwen2:
      return end_of_llama3(Cursor(text, at, Reading::plain), 1);
    case WordPattern::qwen35:
      return end_of_llama3(Cursor(text, at, Reading::marks_are_letters), 1);
    case WordPattern::gpt4o:
      return end_of_gpt4o(Cursor(text, at, Reading::plain), 3, true);
    case WordPattern::tekken:
      return end_of_gpt4o(Cursor(text, at, Reading::plain), 1, false);
    case WordPattern::starcoder:
      return end_of_starcoder(text, at);
    default:
      return end_of_gpt2(Cursor(text, at, Reading::plain));
  }
}

}  // namespace quintet
