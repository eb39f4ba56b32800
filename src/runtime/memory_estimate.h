#pragma once
// What loading a model takes, told from its description alone.

#include <cstdint>

#include "formats/model_description.h"

namespace quintet {

struct MemoryEstimate {
  uint64_t weights = 0;  // bytes: they are kept in the types of the file
  uint64_t load =
      0;  // bytes, with the vocabulary and room for work: a text of 256 tokens (encoders), a KV
          // cache of the whole context in 16 bits (decoders), the largest activations (networks)
};

MemoryEstimate estimate_memory(const ModelDescription& description);

}  // namespace quintet
