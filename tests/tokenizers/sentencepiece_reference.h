#pragma once
// A second SentencePiece, as plain as possible, to compare with: every joining step looks at all neighbors, every way
// to cut a text is weighed.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/tokenizers/sentencepiece_models.h"

namespace quintet::test {

// The ids of normalized text.
std::vector<uint32_t> reference_bpe(const SentencePieceVocabulary& vocabulary, bool byte_fallback,
                                    const std::string& normalized);
// The sum of scores of the best way to cut it.
double reference_unigram_score(const SentencePieceVocabulary& vocabulary, const std::string& normalized);
// The sum of scores of given ids. Requires byte pieces for unknown characters.
double unigram_score(const SentencePieceVocabulary& vocabulary, const std::vector<uint32_t>& ids);

// The UTF-8 characters of a valid text.
std::vector<std::string> characters_of(const std::string& text);

}  // namespace quintet::test
