#pragma once
// Which tokens of a byte-level BPE vocabulary were added to it, where its file does not tell (AMB).

#include <vector>

#include "formats/model_description.h"

namespace quintet {

// One type a token. `control`: the special ids, and what is written as "<|...|>", unless merges make it or it is a
// byte. `user_defined`: what is not written in the letters of bytes, so that no merge can make it, such as Phi-2's runs
// of spaces.
std::vector<PieceType> guess_bpe_token_types(const TokenizerDescription& tokenizer);

}  // namespace quintet
