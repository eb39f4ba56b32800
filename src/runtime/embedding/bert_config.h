#pragma once
// The configuration of the BERT encoder in a model file.

#include "base/result.h"
#include "formats/model_description.h"
#include "models/bert/weights.h"

namespace quintet {

// The sizes that the metadata tells or, in a flat file, the tensors' shapes; every tensor that the
// encoder needs is there in the shape that follows. `attention_heads` is the caller's word for
// files that do not tell their heads, 0 where there is none. Requires a description with its
// tensors.
Result<bert::Config> bert_config(const ModelDescription& description, size_t attention_heads);

}  // namespace quintet
