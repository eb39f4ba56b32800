#pragma once
// WordPiece as one tokenizer among others: special tokens are the caller's matter, and ids become text again.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/tokenizer.h"
#include "tokenizers/wordpiece.h"

namespace quintet {

class WordPieceTokenizer final : public Tokenizer {
 public:
  explicit WordPieceTokenizer(WordPiece wordpiece) : wordpiece_(std::move(wordpiece)) {}

  void encode(std::string_view text, bool begins, std::vector<uint32_t>& ids) const override;
  // Words are parted by a space: what stood between them, the tokens do not tell.
  void decode(uint32_t id, bool begins, std::string& bytes) const override;
  std::string_view token(uint32_t id) const override { return wordpiece_.token(id); }
  std::optional<uint32_t> find(std::string_view token) const override { return wordpiece_.find(token); }
  size_t size() const override { return wordpiece_.vocabulary_size(); }

 private:
  WordPiece wordpiece_;
};

}  // namespace quintet
