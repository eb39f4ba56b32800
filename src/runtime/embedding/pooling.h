#pragma once
// Combines the vectors of tokens into that of a text.

#include <cstddef>
#include <span>

#include "formats/sentence_config.h"

namespace quintet {

// out [dimension] = the pooled rows of tokens [count][dimension], without the first `skipped` of them, if there are
// more; count >= 1. `cls` picks the first row in any case. The mean includes special tokens such as [CLS] and [SEP], as
// in sentence-transformers.
void pool(Pooling pooling, const float* tokens, size_t count, size_t skipped, std::span<float> out);

// Scales a vector to length 1; a zero vector is unchanged.
void l2_normalize(std::span<float> vector);

}  // namespace quintet
