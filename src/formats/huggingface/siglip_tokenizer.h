#pragma once
// The tokenizer of SigLIP: SentencePiece over a canonical form of the text (tokenization_siglip.py of transformers).

#include <string_view>

#include "base/result.h"
#include "tokenizers/tokenizer_description.h"

namespace quintet::huggingface {

constexpr std::string_view kSiglipPieces = "spiece.model";

// From the content of that file, for a folder without tokenizer.json.
Result<TokenizerDescription> read_siglip_tokenizer(std::string_view content);

// Lower case, no punctuation, and single spaces, before the tokenizer's own steps; `_` counts as a space (open_clip's
// canonicalize_text).
void canonicalize_texts(TokenizerDescription& tokenizer);

}  // namespace quintet::huggingface
