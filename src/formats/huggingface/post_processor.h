#pragma once
// The post-processor of a tokenizer.json: the special tokens around a text and around a pair of texts.

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// Empty if there are no tokens around a text. Does not check whether the ids are tokens.
Result<TextFrame> read_frame(const Json& post_processor);

// Number of special tokens in front of a text.
size_t tokens_ahead(const TextFrame& frame);

}  // namespace quintet::huggingface
