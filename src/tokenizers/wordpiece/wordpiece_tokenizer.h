#pragma once
// WordPiece with the common interface: callers handle special tokens, and ids are converted back to text.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/tokenizer.h"
#include "tokenizers/wordpiece/wordpiece.h"

namespace quintet {

class WordPieceTokenizer final : public Tokenizer {
 public:
  explicit WordPieceTokenizer(WordPiece wordpiece) : wordpiece_(std::move(wordpiece)) {}

  Status encode(std::string_view text, bool begins, std::vector<uint32_t>& ids) const override;
  // Words are separated by a space, because the tokens do not contain what was between them.
  void decode(uint32_t id, bool begins, std::string& bytes) const override;
  std::string_view token(uint32_t id) const override { return wordpiece_.token(id); }
  std::optional<uint32_t> find(std::string_view token) const override { return wordpiece_.find(token); }
  size_t size() const override { return wordpiece_.vocabulary_size(); }

 private:
  WordPiece wordpiece_;
};

}  // namespace quintet
