#pragma once
// The pooling of an embedder in a GGUF file.

#include "base/result.h"
#include "formats/model_description.h"
#include "formats/sentence_config.h"

namespace quintet::gguf {

// From the key `pooling_type` of the architecture. UNSUPPORTED for a reranker's.
Result<SentenceConfig> read_pooling(const ModelDescription& description);

}  // namespace quintet::gguf
