#pragma once
// The metadata keys of a .weights file about pooling, normalization, length and prompts (docs/formats/weights.md,
// "Embedders (extension)").

#include "base/json.h"
#include "base/result.h"
#include "formats/sentence_config.h"

namespace quintet::embd {

Result<SentenceConfig> read_sentence_metadata(const Json& metadata);
// Adds them. UNSUPPORTED for Dense modules, which a .weights file cannot store.
Status append_sentence_metadata(const SentenceConfig& config, Json& metadata);

}  // namespace quintet::embd
