#pragma once
// The post-processor of a tokenizer.json: which special tokens stand around a text, and around a pair of texts.

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// Empty where it puts no token around a text. Whether the ids are those of tokens is not looked at.
Result<TextFrame> read_frame(const Json& post_processor);

// How many special tokens stand in front of a text.
size_t tokens_ahead(const TextFrame& frame);

}  // namespace quintet::huggingface
