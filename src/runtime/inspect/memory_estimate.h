#pragma once
// Estimates the memory of a loaded model from its description alone.

#include <cstdint>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "tensor/packed/kv_rows.h"

namespace quintet {

struct MemoryEstimate {
  uint64_t weights = 0;  // bytes, in the form in which they are stored in memory
  uint64_t load = 0;  // bytes, including the vocabulary and work space: a text of 256 tokens (encoders), a KV cache of
                      // the whole context in float32 (decoders), the activations of a picture (networks)
};

// For keys and values of this many positions, or of those that the model can see at once.
Result<uint64_t> kv_cache_bytes(const DecoderConfig& config, const KvTypes& types, uint64_t positions);

// Memory for the strings of a vocabulary and their index.
uint64_t vocabulary_bytes(uint64_t tokens);

MemoryEstimate estimate_memory(const ModelDescription& description);

}  // namespace quintet
