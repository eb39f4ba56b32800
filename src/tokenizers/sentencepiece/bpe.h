#pragma once
// SentencePiece's BPE: a text is a sequence of characters; as long as two neighbors form a piece, the two whose piece
// has the highest score are merged, for equal scores the leftmost. This takes time O(n log n).

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizers/sentencepiece/piece_trie.h"
#include "tokenizers/sentencepiece/segmenter.h"
#include "tokenizers/sentencepiece/vocabulary.h"
#include "tokenizers/token_index.h"

namespace quintet {

class SentencePieceBpe final : public Segmenter {
 public:
  // Vocabulary and symbols must outlive it. Rejects what TokenIndex rejects.
  static Result<std::unique_ptr<Segmenter>> create(const SentencePieceVocabulary& vocabulary,
                                                   const PieceTrie& user_defined);

  void segment(std::string_view text, PieceWriter& out) const override;

 private:
  class Row;

  SentencePieceBpe(const SentencePieceVocabulary& vocabulary, const PieceTrie& user_defined, TokenIndex index);

  // The piece `left` + `right` with the given hash.
  std::optional<uint32_t> find(uint32_t hash, std::string_view left, std::string_view right) const;
  // The position of a piece in unused_.
  std::optional<size_t> unused_index(uint32_t id) const;

  const SentencePieceVocabulary& vocabulary_;
  const PieceTrie& user_defined_;
  TokenIndex index_;
  std::vector<uint32_t> unused_;  // ids, ascending
  size_t longest_piece_ = 0;      // bytes of the longest
  // Whether no piece has a space after another character, so that words can be split one by one.
  bool words_stand_alone_ = true;
};

}  // namespace quintet
