#pragma once
// WordPiece as BERT's uncased models use it: words as in bert_words.h, each cut from the left into
// the longest tokens there are, those after the first written with "##" in the vocabulary. A word
// that does not come out even, or has more than 100 characters, is the unknown token.
//
// A special token spelled out in the text ("[MASK]", with these capitals) is that token, wherever
// it stands, as in the reference: there the special tokens of a BERT tokenizer are looked for
// before the text is normalized. The text to its left and right is tokenized apart. A special token
// whose text is not of the form "[...]" is not looked for.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/string_table.h"
#include "tokenizers/piece_lengths.h"
#include "tokenizers/token_index.h"

namespace quintet {

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
  void encode_plain(std::string_view text, std::vector<uint32_t>& ids) const;
  void encode_word(std::string_view word, std::vector<uint32_t>& ids) const;

  StringTable vocabulary_;
  TokenIndex index_;
  WordPieceSpecials specials_;
  PieceLengths first_lengths_;         // of all tokens
  PieceLengths continuation_lengths_;  // of what stands after "##"
};

}  // namespace quintet
