#pragma once
// config.json of a Hugging Face BERT model, as the metadata of a .weights file.

#include "base/json.h"
#include "base/result.h"

namespace quintet::huggingface {

// The required metadata, in its order; values that config.json does not have are set to fixed ones. Error: another
// architecture, or a variant of BERT that computes differently.
Result<Json> bert_metadata(const Json& config);

}  // namespace quintet::huggingface
