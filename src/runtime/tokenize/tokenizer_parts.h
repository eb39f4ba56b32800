#pragma once
// A model's tokenizer, and the special tokens of its vocabulary.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "tokenizers/special_tokens.h"
#include "tokenizers/text_normalizer.h"
#include "tokenizers/tokenizer.h"
#include "tokenizers/tokenizer_description.h"

namespace quintet {

struct MarkedToken {
  SpecialToken token;
  PieceType type = PieceType::control;  // or unknown, or user_defined
  bool is_normalized = false;
};

struct TokenizerParts {
  std::unique_ptr<const Tokenizer> tokenizer;  // null: the model only takes and returns ids
  std::vector<MarkedToken> marked;
  // User-defined tokens must be searched for in all text before the tokenizer gets it; SentencePiece does that itself.
  bool seeks_user_defined = false;
  // Of all text, if some tokens are sought in normalized text. Otherwise the tokenizer has it.
  TextNormalizer normalizer;
  bool wants_bos = false;    // if the file does not say
  bool begins_once = false;  // text after a special token is not treated as a new text
};

// Moves the vocabulary out of the description.
Result<TokenizerParts> create_tokenizer(TokenizerDescription& description);

}  // namespace quintet
