#include "tokenizers/pre_tokenizer.h"

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

// The characters of a text, one at a time.
class Cursor {
 public:
  // `numbers_end`: a number counts as the end of the text.
  Cursor(std::string_view text, size_t at, bool numbers_end) : text_(text), at_(at), numbers_end_(numbers_end) {
    look();
  }

  size_t at() const { return at_; }
  Kind kind() const { return kind_; }
  char32_t character() const { return character_; }
  bool is_line_end() const { return character_ == '\r' || character_ == '\n'; }

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
    if (numbers_end_ && kind_ == Kind::number) end();
  }
  void end() {
    kind_ = Kind::end;
    character_ = 0;
    bytes_ = 0;
  }

  std::string_view text_;
  size_t at_;
  bool numbers_end_;
  Kind kind_ = Kind::end;
  char32_t character_ = 0;
  uint8_t bytes_ = 0;
};

char32_t folded(char32_t c, bool ignore_case) {
  if (!ignore_case) return c;
  return c == kLongS ? 's' : c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

// 's|'t|'re|'ve|'m|'ll|'d after the apostrophe, at the cursor, which is moved past the match.
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

// \s+(?!\S)|\s+ : white space except for the last character, which belongs to the next word, if there is one and it is
// not all.
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

//  ?[^\s\p{L}\p{N}]+[\r\n]*
bool take_others(Cursor& cursor) {
  Cursor word = cursor;
  if (word.character() == ' ') word.advance();
  if (word.kind() != Kind::other) return false;
  word.skip(Kind::other);
  while (word.is_line_end()) word.advance();
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
  if (take_others(cursor) || take_lines(cursor)) return cursor.at();
  return end_of_space(cursor);
}

size_t end_of_starcoder(std::string_view text, size_t at) {
  const DecodedCodePoint first = decode_utf8(text, at);
  if (kind_of(first.code_point) == Kind::number) return at + first.bytes;
  return end_of_gpt2(Cursor(text, at, true));
}

}  // namespace

std::optional<WordPattern> word_pattern_named(std::string_view name) {
  if (name == "gpt2") return WordPattern::gpt2;
  if (name == "llama3") return WordPattern::llama3;
  if (name == "qwen2") return WordPattern::qwen2;
  if (name == "starcoder") return WordPattern::starcoder;
  return std::nullopt;
}

size_t word_end(WordPattern pattern, std::string_view text, size_t at) {
  switch (pattern) {
    case WordPattern::llama3:
      return end_of_llama3(Cursor(text, at, false), 3);
    case WordPattern::qwen2:
      return end_of_llama3(Cursor(text, at, false), 1);
    case WordPattern::starcoder:
      return end_of_starcoder(text, at);
    default:
      return end_of_gpt2(Cursor(text, at, false));
  }
}

}  // namespace quintet
