#pragma once
// Tokenizer settings that the tokenizer section of an AMB file cannot store: keys of the config and of the metadata, an
// extension of quintet (docs/formats/amb.md, "Tokenizer").

#include <cstdint>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// Special ids that do not fit the section's 16 bits, such as 128000 of Llama 3: `bos_token_id`, `eos_token_id`,
// `pad_token_id`, `unk_token_id` and `mask_token_id`. Reads those that are missing in the section;
void take_large_ids(const Json& config, SpecialIds& special);
// moves those that do not fit the section to the config.
void put_large_ids(SpecialIds& special, Json& config);

// Rules for tokenizing text and ending a generation: `pre_tokenizer`, `ignore_merges`, `normalizer` and `end_token_ids`
// of the config, `add_bos_token` of the metadata. Errors point to `config_at`, the position of the config in the file.
Status take_text_rules(const Json& metadata, const Json& config, uint64_t config_at, TokenizerDescription& tokenizer);
void put_text_rules(const TokenizerDescription& tokenizer, Json& metadata, Json& config);

}  // namespace quintet::amb
