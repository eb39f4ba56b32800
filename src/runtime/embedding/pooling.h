#pragma once
// From token vectors to one vector per text.

#include <cstddef>
#include <cstdint>
#include <span>

namespace quintet {

enum class Pooling : uint8_t { mean, cls, max };

// out [dimension] = the pooled rows of tokens [count][dimension]; count >= 1. The mean is over all
// tokens, [CLS] and [SEP] included, as sentence-transformers takes it.
void pool(Pooling pooling, const float* tokens, size_t count, std::span<float> out);

// Scales a vector to length 1; a vector of zeros stays.
void l2_normalize(std::span<float> vector);

}  // namespace quintet
