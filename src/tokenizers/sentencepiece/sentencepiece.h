#pragma once
// SentencePiece tokenizers (google/sentencepiece) of both kinds: BPE with scores (Llama 2, Mistral, Phi-3) and unigram.

#include <memory>

#include "base/result.h"
#include "tokenizers/sentencepiece/vocabulary.h"
#include "tokenizers/text_normalizer.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

// Rejects invalid vocabularies: lists of different lengths, scores that are NaN, an unknown id outside the vocabulary,
// an invalid character map. `before`: the first steps for a text.
Result<std::unique_ptr<Tokenizer>> create_sentencepiece(SentencePieceVocabulary vocabulary,
                                                        SentencePieceSettings settings, TextNormalizer before = {});

}  // namespace quintet
