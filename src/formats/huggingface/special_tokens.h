#pragma once
// Which tokens begin, end and pad: as texts in tokenizer_config.json and special_tokens_map.json, as ids in
// config.json and generation_config.json.

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// The ids of the tokens that the file names win over what the tokenizer had. A text that is no token changes nothing.
Status set_named_specials(const Json& file, TokenizerDescription& tokenizer);

// From config.json and generation_config.json: special ids where nothing else told, and every id that ends an answer.
Status fill_special_ids(const Json& config, TokenizerDescription& tokenizer);

}  // namespace quintet::huggingface
