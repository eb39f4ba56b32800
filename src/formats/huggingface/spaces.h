#pragma once
// Tokenizers of a tokenizer.json that write spaces as U+2581, like SentencePiece: what their normalizer and
// pre-tokenizer mean in SentencePiece's terms.

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// Whether spaces are written in this way.
bool marks_spaces(const Json& tokenizer);

// Requires a SentencePiece tokenizer. Sets its `settings` for BPE, and `normalizer` to the steps before those of
// SentencePiece. UNSUPPORTED for steps that are in another order or not implemented.
Status read_spaces(const Json& tokenizer, TokenizerDescription& description);

}  // namespace quintet::huggingface
