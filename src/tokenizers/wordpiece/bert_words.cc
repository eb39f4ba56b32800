#include "tokenizers/wordpiece/bert_words.h"

#include <algorithm>

namespace quintet {
namespace {

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

constexpr bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// The reference leaves out U+2B820..2B91F, too.
constexpr bool is_cjk_ideograph(char32_t c) {
  return in(c, 0x4E00, 0x9FFF) || in(c, 0x3400, 0x4DBF) || in(c, 0xF900, 0xFAFF) || in(c, 0x20000, 0x2A6DF) ||
         in(c, 0x2A700, 0x2B81F) || in(c, 0x2B920, 0x2CEAF) || in(c, 0x2F800, 0x2FA1F);
}

// The category that Unicode 8.0 gave a character.
Category category_of(char32_t c, CharacterProperties properties) {
  switch (c) {
    case 0x1734:
    case 0x1171E:
      return Category::nonspacing_mark;  // now Mc
    case 0x1885:                         // now Mn, then Lo
    case 0x1886:
    case 0xA9BD:
      return Category::other;  // now Mn, then Mc
    case 0x166D:               // now So
    case 0x111C9:
      return Category::punctuation;  // now Mn
    default:
      return properties.age() == Age::unicode_8 ? properties.category() : Category::other;
  }
}

// Removes control characters, characters that are not printed, and unknown ones.
bool is_removed(char32_t c, Category category) {
  return category == Category::control || category == Category::format || category == Category::private_use ||
         c == kReplacementCharacter;
}

}  // namespace

void PendingMarks::add(char32_t mark, uint8_t combining_class) {
  if (size_ == marks_.size()) return;
  // An insertion sort, because the order of marks of one class must be kept and they are few.
  size_t at = size_++;
  for (; at > 0 && marks_[at - 1].combining_class > combining_class; --at) marks_[at] = marks_[at - 1];
  marks_[at] = {mark, combining_class};
}

void PendingMarks::move_to(BertWord& word, bool lowercase) {
  for (size_t i = 0; i < size_; ++i) {
    const char32_t mark = marks_[i].code_point;
    word.append(lowercase ? to_lowercase(mark) : mark);
  }
  size_ = 0;
}

constexpr BertWords::Role BertWords::ascii_role(char c) const {
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return Role::space;
  if (!normalizer_.clean_text && (c == '\v' || c == '\f')) return Role::space;
  if (c < ' ' || c == 0x7F) return normalizer_.clean_text ? Role::removed : Role::letter;
  const bool digit = c >= '0' && c <= '9';
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return digit || letter ? Role::letter : Role::alone;
}

BertWords::Role BertWords::role_of(char32_t c) const {
  if (c < 0x80) return ascii_role(static_cast<char>(c));
  const Category category = category_of(c, character_properties(c));
  if (normalizer_.clean_text && is_removed(c, category)) return Role::removed;
  if (is_white_space(c)) return Role::space;
  const bool is_word = normalizer_.handle_chinese_chars && is_cjk_ideograph(c);
  return category == Category::punctuation || is_word ? Role::alone : Role::letter;
}

BertWords::Character BertWords::read_character() const {
  const DecodedCodePoint decoded = decode_utf8(text_, at_);
  const char32_t c = decoded.code_point;
  Character character{role_of(c), decoded.bytes, 1, {c}};
  if (!normalizer_.strip_accents) return character;
  character.size = static_cast<uint8_t>(decompose(c, character.code_points.data()));
  // Some decompose to punctuation and a mark that is dropped, such as U+2260 to an equals sign.
  if (character.role == Role::letter) character.role = role_of(character.code_points[0]);
  return character;
}

// U+0130 alone becomes more than one character in lower case.
void BertWords::append_cased(char32_t c) {
  constexpr char32_t kDottedI = 0x130, kDotAbove = 0x307;
  if (!normalizer_.lowercase) return word_.append(c);
  word_.append(c == kDottedI ? U'i' : to_lowercase(c));
  if (c == kDottedI) word_.append(kDotAbove);
}

void BertWords::append(char32_t decomposed) {
  if (!normalizer_.strip_accents) return append_cased(decomposed);
  const CharacterProperties properties = character_properties(decomposed);
  const bool dropped = category_of(decomposed, properties) == Category::nonspacing_mark;
  if (properties.reorders()) {
    if (!dropped) marks_.add(decomposed, combining_class(decomposed));
    return;
  }
  marks_.move_to(word_, normalizer_.lowercase);
  if (!dropped) append_cased(decomposed);
}

bool BertWords::at_ascii_letter() const {
  return at_ < text_.size() && is_ascii(text_[at_]) && ascii_role(text_[at_]) == Role::letter;
}

// The fast path, for nearly all of most texts.
void BertWords::take_ascii_letters() {
  if (!at_ascii_letter()) return;
  marks_.move_to(word_, normalizer_.lowercase);
  do {
    const char c = text_[at_++];
    const bool is_lowered = normalizer_.lowercase && c >= 'A' && c <= 'Z';
    word_.append_ascii(is_lowered ? static_cast<char>(c + ('a' - 'A')) : c);
  } while (at_ascii_letter());
}

bool BertWords::finish_word() {
  marks_.move_to(word_, normalizer_.lowercase);
  return !word_.empty();
}

const BertWord* BertWords::next() {
  word_.clear();
  while (at_ < text_.size()) {
    take_ascii_letters();
    if (at_ == text_.size()) break;
    const Character character = read_character();
    switch (character.role) {
      case Role::letter:
        for (size_t i = 0; i < character.size; ++i) append(character.code_points[i]);
        break;
      case Role::removed:
        break;
      case Role::space:
        if (finish_word()) return &word_;
        break;
      case Role::alone:
        // Stays in the text, to be read again at the start of the next word.
        if (finish_word()) return &word_;
        for (size_t i = 0; i < character.size; ++i) append(character.code_points[i]);
        at_ += character.bytes;
        return &word_;
    }
    at_ += character.bytes;
  }
  return finish_word() ? &word_ : nullptr;
}

}  // namespace quintet
