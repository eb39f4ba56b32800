#pragma once
// Rules for finding tokens in a text that the tokenizer section of an AMB file cannot store: keys of the config, an
// extension of quintet (docs/formats/amb.md, "Tokenizer").

#include <cstdint>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// `special_tokens` and `added_tokens` of BPE, `lstrip_tokens` and the fields next to it, and `sentencepiece_rules`.
// Errors point to `config_at`, the position of the config in the file.
Status take_token_rules(const Json& config, uint64_t config_at, TokenizerDescription& tokenizer);
// `implied`: the types that a reader of BPE gives its tokens if there are no keys for them.
void put_token_rules(const TokenizerDescription& tokenizer, const std::vector<PieceType>& implied, Json& config);

}  // namespace quintet::amb
