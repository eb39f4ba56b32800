#pragma once
// SentencePiece's unigram model: of all segmentations of a text, the one whose pieces have the highest sum of scores.

#include <memory>

#include "tokenizers/sentencepiece/piece_trie.h"
#include "tokenizers/sentencepiece/segmenter.h"
#include "tokenizers/sentencepiece/vocabulary.h"

namespace quintet {

class SentencePieceUnigram final : public Segmenter {
 public:
  // The vocabulary must outlive it. `as_huggingface`: as in Hugging Face's tokenizers, sums are kept in double
  // precision, and control tokens are pieces.
  SentencePieceUnigram(const SentencePieceVocabulary& vocabulary, bool as_huggingface);

  void segment(std::string_view text, PieceWriter& out) const override;

 private:
  // The best segmentation of a text up to some byte: its last piece, and the total score.
  struct Best {
    static constexpr uint32_t kUnreached = UINT32_MAX;
    double score = 0;
    uint32_t begin = kUnreached;
    uint32_t id = PieceTrie::kNone;  // none: an unknown character

    void offer(double candidate, double kept_sum, uint32_t piece_begin, uint32_t piece_id);
  };

  // A sum as it is kept: in double or in float precision.
  double kept(double sum) const { return as_huggingface_ ? sum : static_cast<double>(static_cast<float>(sum)); }
  void extend(std::string_view text, size_t begin, Best* best) const;
  double score_of(uint32_t id, size_t size) const;

  const SentencePieceVocabulary& vocabulary_;
  PieceTrie trie_;
  float highest_score_;
  double unknown_score_;
  bool as_huggingface_;
};

}  // namespace quintet
