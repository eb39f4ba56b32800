#pragma once
// Finds the control tokens and added tokens of a byte-level BPE vocabulary whose file does not list them (AMB).

#include <vector>

#include "formats/model_description.h"

namespace quintet {

// Returns one type per token of a BPE tokenizer. Special ids and tokens like "<|...|>" are `control`, unless merges
// produce them or they are a byte. Tokens that are not written in byte letters, so that no merge can produce them, are
// `user_defined`, such as Phi-2's runs of spaces.
std::vector<PieceType> guess_bpe_token_types(const TokenizerDescription& tokenizer);

}  // namespace quintet
