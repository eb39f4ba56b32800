#pragma once
// The steps from a text to ids: the search for added tokens, the normalizer before it, and the tokenizer of the rest.

#include <memory>
#include <vector>

#include "base/result.h"
#include "tokenizers/special_tokens.h"
#include "tokenizers/text_normalizer.h"
#include "tokenizers/tokenizer.h"
#include "tokenizers/tokenizer_description.h"

namespace quintet {

// A token of the vocabulary that is found in a text as a whole.
struct AddedToken {
  SpecialToken token;
  PieceType type = PieceType::control;  // or unknown, or user_defined
  bool is_normalized = false;           // it is sought in normalized text
};

struct TokenizerPipeline {
  std::unique_ptr<const Tokenizer> tokenizer;  // null: the model only accepts and returns ids
  std::vector<AddedToken> added_tokens;
  // User-defined tokens must be searched for in all text before the tokenizer gets it; SentencePiece does that itself.
  bool seeks_user_defined = false;
  // Normalizes all text, if some tokens are sought in normalized text. Otherwise the tokenizer has the normalizer.
  TextNormalizer normalizer;
  bool wants_bos = false;    // a beginning-of-sequence token is added if the file has no setting for it
  bool begins_once = false;  // text after a special token is not treated as a new text
};

// Moves the vocabulary out of the description.
using CreateTokenizer = Result<TokenizerPipeline>(TokenizerDescription& description);
CreateTokenizer create_tokenizer;
// BPE and SentencePiece alone, so that a module without WordPiece does not contain it. UNSUPPORTED for WordPiece.
CreateTokenizer create_subword_tokenizer;

}  // namespace quintet
