#pragma once
// Special ids that do not fit the 16 bits of the tokenizer section, such as 128000 of Llama 3: an
// extension of ours keeps them in the config, as `bos_token_id`, `eos_token_id`, `pad_token_id`,
// `unk_token_id` and `mask_token_id`.

#include "base/json.h"
#include "formats/model_description.h"

namespace quintet::amb {

// The ids of the config that the section says nothing of.
void take_large_ids(const Json& config, SpecialIds& special);

// Moves the ids that the section cannot hold into the config.
void put_large_ids(SpecialIds& special, Json& config);

}  // namespace quintet::amb
