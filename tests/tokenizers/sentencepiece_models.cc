#include "tests/tokenizers/sentencepiece_models.h"

#include <gtest/gtest.h>

#include "formats/sentencepiece/model_proto.h"
#include "formats/sentencepiece/settings.h"
#include "tests/formats/reading.h"

namespace quintet::test {

TokenizerDescription read_model_fixture(const std::string& path) {
  auto description = sentencepiece::read_model_proto(fixture(path));
  EXPECT_TRUE(description) << path;
  return description ? std::move(*description) : TokenizerDescription();
}

TokenizerDescription read_file_tokenizer(const std::string& path) {
  auto file = read_file(fixture(path));
  EXPECT_TRUE(file) << path << ": " << (file ? "" : file.error().detail);
  return file ? std::move(file->description.tokenizer) : TokenizerDescription();
}

SentencePieceVocabulary vocabulary_of(const TokenizerDescription& description) {
  return {.pieces = description.tokens,
          .scores = description.sentencepiece()->scores,
          .types = description.piece_types,
          .unknown_id = description.special.unk};
}

SentencePieceSettings settings_of(const TokenizerDescription& description) {
  if (description.sentencepiece()->proto.empty()) return {};
  const auto read = sentencepiece::read_settings(description.sentencepiece()->proto);
  EXPECT_TRUE(read);
  return *read;
}

namespace {

std::unique_ptr<Tokenizer> create(SentencePieceVocabulary vocabulary, SentencePieceSettings settings) {
  auto tokenizer = create_sentencepiece(std::move(vocabulary), std::move(settings));
  EXPECT_TRUE(tokenizer) << (tokenizer ? "" : tokenizer.error().detail);
  return tokenizer ? std::move(*tokenizer) : nullptr;
}

}  // namespace

std::unique_ptr<Tokenizer> make_sentencepiece(const TokenizerDescription& description) {
  return create(vocabulary_of(description), settings_of(description));
}

SentencePieceVocabulary vocabulary_of(const std::vector<Piece>& pieces) {
  SentencePieceVocabulary vocabulary;
  for (const Piece& piece : pieces) {
    EXPECT_TRUE(vocabulary.pieces.add(piece.text));
    vocabulary.scores.push_back(piece.score);
    vocabulary.types.push_back(piece.type);
  }
  return vocabulary;
}

std::unique_ptr<Tokenizer> make_sentencepiece(const std::vector<Piece>& pieces, SentencePieceSettings settings) {
  return create(vocabulary_of(pieces), std::move(settings));
}

std::string pieces_of(const Tokenizer& tokenizer, std::string_view text, bool begins) {
  std::string pieces;
  for (const uint32_t id : encode(tokenizer, text, begins)) {
    if (!pieces.empty()) pieces += ' ';
    pieces += tokenizer.token(id);
  }
  return pieces;
}

}  // namespace quintet::test
