#pragma once
// WordPiece as a decoder's tokenizer.

#include <memory>

#include "base/result.h"
#include "formats/model_description.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

// Takes the tokens out of the description. FORMAT where no id of the unknown token is given.
Result<std::unique_ptr<const Tokenizer>> create_wordpiece_tokenizer(TokenizerDescription& description);

}  // namespace quintet
