#pragma once
// WordPiece as in BERT's models: words as in bert_words.h, each split from the left into the longest possible
// tokens, of which those after the first have "##" in front in the vocabulary. A word that cannot be split completely,
// or has more than 100 characters, is the unknown token.
//
// A special token written out in the text ("[MASK]", with these capitals) is that token, at any position, as in the
// reference, which searches for special tokens before the text is normalized. The text on both sides is tokenized
// separately. Special tokens whose text does not have the form "[...]" are not searched for.

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
#include "tokenizers/wordpiece/bert_words.h"

namespace quintet {

// Prefix of tokens that continue a word.
constexpr std::string_view kContinuation = "##";

// The lengths of the pieces of a vocabulary, by their first two bytes. Most beginnings of a word are not a piece, and
// most of these need not be looked up, because no piece with the same start has that length.
class PieceLengths {
 public:
  // Possible lengths, in bytes. All from kLong on are one.
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

  // For the pieces that `text` may start with.
  Set of(std::string_view text) const { return Set(text.size() < 2 ? kOneByte : lengths_[bucket_of(text)] | kOneByte); }

 private:
  static constexpr size_t kLong = 31;
  static constexpr uint32_t kOneByte = 1u << 1;  // always possible, because it does not depend on the second byte
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
  // The id of a token is its position. Rejects special ids outside the vocabulary, and the same as TokenIndex.
  static Result<WordPiece> create(StringTable vocabulary, WordPieceSpecials specials, BertNormalizer normalizer = {});

  // Appends the ids of a text of any size, without [CLS] and [SEP], in linear time. The text may be ill-formed UTF-8:
  // invalid bytes are skipped.
  void encode(std::string_view text, std::vector<uint32_t>& ids) const;
  // The same for text that cannot contain special tokens.
  void encode_plain(std::string_view text, std::vector<uint32_t>& ids) const;

  size_t vocabulary_size() const { return vocabulary_.size(); }
  // Requires id < vocabulary_size().
  std::string_view token(uint32_t id) const { return vocabulary_[id]; }
  std::optional<uint32_t> find(std::string_view token) const;
  const WordPieceSpecials& specials() const { return specials_; }

  // Memory in use.
  size_t memory_bytes() const { return sizeof(*this) + vocabulary_.memory_bytes() + index_.memory_bytes(); }

 private:
  struct Piece {
    uint32_t id;
    size_t end;  // in the word
  };

  WordPiece(StringTable vocabulary, TokenIndex index, WordPieceSpecials specials, BertNormalizer normalizer);

  std::optional<Piece> special_at(std::string_view text, size_t at) const;
  std::optional<Piece> longest_piece(std::string_view word, size_t begin) const;
  void encode_word(std::string_view word, std::vector<uint32_t>& ids) const;

  StringTable vocabulary_;
  TokenIndex index_;
  WordPieceSpecials specials_;
  BertNormalizer normalizer_;
  PieceLengths first_lengths_;         // of all tokens
  PieceLengths continuation_lengths_;  // of what follows "##"
};

}  // namespace quintet
