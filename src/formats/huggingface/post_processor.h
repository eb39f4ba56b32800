#pragma once
// The post-processor of a tokenizer.json: which special tokens stand around a text, and around a pair of texts.

#include <optional>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// Of the JSON's `post_processor`; tokens are those of `tokenizer`. Nothing where none stands around a text.
Result<std::optional<TextFrame>> read_frame(const Json& post_processor, const TokenizerDescription& tokenizer);

// How many special tokens stand in front of a text.
size_t tokens_ahead(const TextFrame& frame);

}  // namespace quintet::huggingface
