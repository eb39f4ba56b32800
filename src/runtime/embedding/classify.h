#pragma once
// Computes the logits of labels from hidden states.

#include <cstddef>
#include <vector>

#include "runtime/embedding/text_embedder.h"

namespace quintet {

// Replaces vectors [count][hidden], which are pooled or those of tokens, by their logits [count][labels]:
// classifier(norm(activation(dense(x)))), where the first layer and the norm may be missing. The model has a head.
void apply_head(const TextEmbedder::Model& model, std::vector<float>& vectors, size_t count);

}  // namespace quintet
