#pragma once
// WordPiece as in BERT's models: words as in bert_words.h, each split from the left into the longest possible
// tokens, of which those after the first have "##" in front in the vocabulary. A word that cannot be split completely,
// or has more than 100 characters, is the unknown token.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/string_table.h"
#include "tokenizers/token_index.h"
#include "tokenizers/tokenizer.h"
#include "tokenizers/tokenizer_description.h"
#include "tokenizers/wordpiece/bert_words.h"

namespace quintet {

// Prefix of tokens that continue a word.
constexpr std::string_view kContinuation = "##";

// The lengths of the pieces of a vocabulary, by their first two bytes. Most beginnings of a word are not a piece, and
// most of these need not be looked up, because no piece with the same start has that length.
class PieceLengths {
 public:
  // A set of lengths in bytes. All from kLong on count as one.
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

  // The lengths of the pieces that `text` may start with.
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

class WordPiece final : public Tokenizer {
 public:
  // The id of a token is its position. Rejects a vocabulary without an unknown token, special ids outside the
  // vocabulary, and what TokenIndex rejects.
  static Result<std::unique_ptr<WordPiece>> create(StringTable vocabulary, const SpecialIds& special,
                                                   BertNormalizer normalizer = {});

  using Tokenizer::encode;  // takes linear time; invalid bytes are skipped
  Result<std::string> normalized(std::string_view text) const override;
  // Words are separated by a space, because the tokens do not contain the text between them.
  void decode(uint32_t id, bool begins, std::string& bytes) const override;
  std::string_view token(uint32_t id) const override { return vocabulary_[id]; }
  std::optional<uint32_t> find(std::string_view token) const override;
  size_t size() const override { return vocabulary_.size(); }

  size_t memory_bytes() const { return sizeof(*this) + vocabulary_.memory_bytes() + index_.memory_bytes(); }

 private:
  struct Piece {
    uint32_t id;
    size_t end;  // position in the word
  };

  WordPiece(StringTable vocabulary, TokenIndex index, uint32_t unknown, BertNormalizer normalizer);

  Status append(std::string_view text, bool begins, std::vector<uint32_t>& ids, TokenSpelling* spelling) const override;
  std::optional<Piece> longest_piece(std::string_view word, size_t begin) const;
  void encode_word(std::string_view word, std::vector<uint32_t>& ids, TokenSpelling* spelling) const;

  StringTable vocabulary_;
  TokenIndex index_;
  uint32_t unknown_;
  BertNormalizer normalizer_;
  PieceLengths first_lengths_;         // all tokens
  PieceLengths continuation_lengths_;  // of the texts after "##" in tokens
};

}  // namespace quintet
