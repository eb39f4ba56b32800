#pragma once
// The chat templates of a model. They are rendered elsewhere; this file has what rendering needs in addition to the
// messages.

#include "base/json.h"
#include "formats/model_description.h"
#include "tokenizers/tokenizer.h"

namespace quintet {

// The templates in Jinja that the metadata of a file has, by their names: { default, tool_use, ... }.
Json chat_templates(const Json& metadata);

// { templates, tokens: { bos_token, eos_token, ... } }: also the texts of the special tokens, under the names that
// templates use.
Json describe_chat(const Json& metadata, const SpecialIds& special, const Tokenizer& tokenizer);

}  // namespace quintet
