#pragma once
// SentencePiece tokenizers (google/sentencepiece) of both kinds: BPE with scores (Llama 2, Mistral, Phi-3) and unigram.

#include <memory>

#include "base/result.h"
#include "tokenizers/sentencepiece_vocabulary.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

// Refuses what cannot be a tokenizer: lists of different lengths, scores that are no numbers, an unknown id outside the
// vocabulary, a character map that leads outside of itself.
Result<std::unique_ptr<Tokenizer>> create_sentencepiece(SentencePieceVocabulary vocabulary,
                                                        SentencePieceSettings settings);

}  // namespace quintet
