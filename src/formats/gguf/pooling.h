#pragma once
// The pooling of an embedder in a GGUF file, and the steps after it.

#include "base/result.h"
#include "formats/model_description.h"
#include "formats/sentence_config.h"

namespace quintet::gguf {

// From the key `pooling_type` of the architecture, which is UNSUPPORTED for a reranker's, and from the shapes of Dense
// modules, whose tensors are dense_2.weight and dense_3.weight.
Result<SentenceConfig> read_pooling(const ModelDescription& description);

}  // namespace quintet::gguf
