#pragma once
// SentencePiece tokenizers out of files under tests/fixtures.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/model_description.h"
#include "tests/tokenizers/coding.h"
#include "tokenizers/sentencepiece/sentencepiece.h"

namespace quintet::test {

TokenizerDescription read_model_fixture(const std::string& path);   // a tokenizer.model
TokenizerDescription read_file_tokenizer(const std::string& path);  // the tokenizer of a model file

SentencePieceVocabulary vocabulary_of(const TokenizerDescription& description);
SentencePieceSettings settings_of(const TokenizerDescription& description);
std::unique_ptr<Tokenizer> make_sentencepiece(const TokenizerDescription& description);

// A vocabulary by hand.
struct Piece {
  std::string text;
  float score = 0;
  PieceType type = PieceType::normal;
};
SentencePieceVocabulary vocabulary_of(const std::vector<Piece>& pieces);

// Expects success.
std::unique_ptr<Tokenizer> make_sentencepiece(const std::vector<Piece>& pieces, SentencePieceSettings settings);

// The pieces' own texts, with spaces between them.
std::string pieces_of(const Tokenizer& tokenizer, std::string_view text, bool begins = true);

}  // namespace quintet::test
