#pragma once
// Which tokens of a byte-level BPE vocabulary are control tokens or added ones, if its file does not say (AMB).

#include <vector>

#include "formats/model_description.h"

namespace quintet {

// One type per token. `control`: the special ids, and tokens like "<|...|>", unless merges produce them or they are a
// byte. `user_defined`: tokens that are not written in byte letters, so that no merge can produce them, such as Phi-2's
// runs of spaces.
std::vector<PieceType> guess_bpe_token_types(const TokenizerDescription& tokenizer);

}  // namespace quintet
