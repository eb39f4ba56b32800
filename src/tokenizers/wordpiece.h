#pragma once
// WordPiece as BERT's uncased models use it: words as in bert_words.h, each cut from the left into
// the longest tokens there are, those after the first written with "##" in the vocabulary. A word
// that does not come out even, or has more than 100 characters, is the unknown token.
//
// A special token spelled out in the text ("[MASK]", with these capitals) is that token, wherever
// it stands, as in the reference: there the special tokens of a BERT tokenizer are looked for
// before the text is normalized. The text to its left and right is tokenized apart. A special token
// whose text is not of the form "[...]" is not looked for.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/string_table.h"
#include "tokenizers/token_index.h"

namespace quintet {

// The lengths that the pieces of a vocabulary have, by their first two bytes. Most beginnings of a word are no piece,
// and most of these need not be looked up, because no piece that begins like them is that long.
class PieceLengths {
 public:
  // Lengths that may occur, in bytes. All from kLong on are one.
  class Set {
   public:
    explicit constexpr Set(uint32_t bits) : bits_(bits) {}
    constexpr bool has(size_t length) const { return bits_ >> std::min(length, kLong) & 1; }
    constexpr size_t longest() const { return has(kLong) ? SIZE_MAX : static_cast<size_t>(std::bit_width(bits_)) - 1; }

   private:
    uint32_t bits_;
  };

  void add(std::string_view piece) {
    const uint32_t bit = uint32_t{1} << std::min(piece.size(), kLong);
    if (piece.size() >= 2) lengths_[bucket_of(piece)] |= bit;
  }

  // Of the pieces that `text` may begin with.
  Set of(std::string_view text) const { return Set(text.size() < 2 ? kOneByte : lengths_[bucket_of(text)] | kOneByte); }

 private:
  static constexpr size_t kLong = 31;
  static constexpr uint32_t kOneByte = 1u << 1;  // always possible: the second byte says nothing
  static constexpr size_t kBuckets = 1024;

  static size_t bucket_of(std::string_view text) {
    return (static_cast<uint8_t>(text[0]) * 37u + static_cast<uint8_t>(text[1])) % kBuckets;
  }

  std::array<uint32_t, kBuckets> lengths_ = {};
};

struct WordPieceSpecials {
  uint32_t pad = 0;
  uint32_t unk = 0;
  uint32_t cls = 0;
  uint32_t sep = 0;
  uint32_t mask = 0;
};

class WordPiece {
 public:
  // The id of a token is its position. Refuses special ids outside the vocabulary, and what
  // TokenIndex refuses.
  static Result<WordPiece> create(StringTable vocabulary, WordPieceSpecials specials);

  // Appends the ids of a text of any size, without [CLS] and [SEP], in time linear in the size. The
  // text may be ill-formed UTF-8: what is not a character is skipped.
  void encode(std::string_view text, std::vector<uint32_t>& ids) const;
  // The same where the text can spell no special token.
  void encode_plain(std::string_view text, std::vector<uint32_t>& ids) const;

  size_t vocabulary_size() const { return vocabulary_.size(); }
  // Requires id < vocabulary_size().
  std::string_view token(uint32_t id) const { return vocabulary_[id]; }
  std::optional<uint32_t> find(std::string_view token) const;
  const WordPieceSpecials& specials() const { return specials_; }

  // Memory held.
  size_t memory_bytes() const { return sizeof(*this) + vocabulary_.memory_bytes() + index_.memory_bytes(); }

 private:
  struct Piece {
    uint32_t id;
    size_t end;  // in the word
  };

  WordPiece(StringTable vocabulary, TokenIndex index, WordPieceSpecials specials);

  std::optional<Piece> special_at(std::string_view text, size_t at) const;
  std::optional<Piece> longest_piece(std::string_view word, size_t begin) const;
  void encode_word(std::string_view word, std::vector<uint32_t>& ids) const;

  StringTable vocabulary_;
  TokenIndex index_;
  WordPieceSpecials specials_;
  PieceLengths first_lengths_;         // of all tokens
  PieceLengths continuation_lengths_;  // of what stands after "##"
};

}  // namespace quintet
