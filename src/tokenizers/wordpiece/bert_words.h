#pragma once
// The words of a text as BERT's models saw them in training: split at white space, around punctuation and around CJK
// ideographs; for uncased models cleaned, lower-cased and without accents.
//
// The reference is Hugging Face's `tokenizers` (Rust, 0.23: BertNormalizer, BertPreTokenizer), which
// sentence-transformers uses; tests/fixtures/tokenizers contains its result for every code point. It is built on three
// versions of Unicode, all of which matter:
// - categories (control, mark, punctuation) are those of Unicode 8.0: newer characters have none of them, and stay;
// - decomposition and canonical order are those of Unicode 9.0;
// - lower-casing is that of the Rust release, at present Unicode 17.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/unicode/properties.h"
#include "base/utf8.h"
#include "tokenizers/wordpiece/wordpiece_description.h"

namespace quintet {

// A word in UTF-8. If it is too long to be looked up, only that is recorded, and the rest is not kept.
class BertWord {
 public:
  static constexpr size_t kMaxCharacters = 100;
  static constexpr size_t kMaxBytes = kMaxCharacters * kMaxUtf8Bytes;

  bool empty() const { return characters_ == 0; }
  bool too_long() const { return characters_ > kMaxCharacters; }
  std::string_view text() const { return {bytes_.data(), size_}; }  // the first kMaxCharacters

  void clear() { size_ = characters_ = 0; }

  void append_ascii(char c) {
    if (make_room()) bytes_[size_++] = c;
  }
  void append(char32_t c) {
    if (make_room()) size_ += encode_utf8(c, bytes_.data() + size_);
  }

 private:
  bool make_room() {
    if (characters_ <= kMaxCharacters) ++characters_;
    return !too_long();
  }

  std::array<char, kMaxBytes> bytes_;
  size_t size_ = 0;
  size_t characters_ = 0;  // at most kMaxCharacters + 1
};

// Marks wait here for the next character that is not a mark, because canonical order sorts them. No more are kept than
// make a word too long, so that a text of only marks takes linear time.
class PendingMarks {
 public:
  bool empty() const { return size_ == 0; }
  void add(char32_t mark, uint8_t combining_class);
  void move_to(BertWord& word, bool lowercase);

 private:
  struct Mark {
    char32_t code_point;
    uint8_t combining_class;
  };
  std::array<Mark, BertWord::kMaxCharacters + 1> marks_;
  size_t size_ = 0;
};

// Iterates over the words of a text, in time linear in its length and without allocating. The text may be ill-formed:
// invalid UTF-8 becomes U+FFFD, which cleaning removes.
class BertWords {
 public:
  explicit BertWords(std::string_view text, BertNormalizer normalizer = {}) : text_(text), normalizer_(normalizer) {}

  // Returns the next word, valid until the next call; nullptr at the end of the text.
  const BertWord* next();

 private:
  enum class Role : uint8_t { letter, space, alone, removed };

  // One character of the text, decomposed.
  struct Character {
    Role role;
    uint8_t bytes;  // its size in the text
    uint8_t size;   // length of code_points
    std::array<char32_t, kMaxDecomposition> code_points;
  };

  constexpr Role ascii_role(char c) const;
  Role role_of(char32_t c) const;
  Character read_character() const;
  bool at_ascii_letter() const;
  void take_ascii_letters();
  void append(char32_t decomposed);
  void append_cased(char32_t c);
  bool finish_word();

  std::string_view text_;
  BertNormalizer normalizer_;
  size_t at_ = 0;
  BertWord word_;
  PendingMarks marks_;
};

}  // namespace quintet
