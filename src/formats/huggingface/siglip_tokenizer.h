#pragma once
// The tokenizer of SigLIP: SentencePiece over a canonical form of the text (tokenization_siglip.py of transformers).

#include <string_view>

#include "base/result.h"
#include "tokenizers/tokenizer_description.h"

namespace quintet::huggingface {

constexpr std::string_view kSiglipPieces = "spiece.model";

// From the content of that file, for a folder without tokenizer.json.
Result<TokenizerDescription> read_siglip_tokenizer(std::string_view content);

}  // namespace quintet::huggingface
