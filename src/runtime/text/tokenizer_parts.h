#pragma once
// A model's tokenizer, and what its vocabulary says of its special tokens.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "tokenizers/special_tokens.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

struct MarkedToken {
  SpecialToken token;
  PieceType type = PieceType::control;  // or unknown, or user_defined
};

struct TokenizerParts {
  std::unique_ptr<const Tokenizer> tokenizer;  // null: the model takes and gives ids only
  std::vector<MarkedToken> marked;
  // User-defined tokens are to be sought in all text before the tokenizer gets it; SentencePiece does so by itself.
  bool seeks_user_defined = false;
  bool wants_bos = false;  // where the file does not say
};

// Takes the vocabulary out of the description.
Result<TokenizerParts> create_tokenizer(ModelDescription& description);

}  // namespace quintet
