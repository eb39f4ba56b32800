#pragma once
// What loading a model takes, told from its description alone.

#include <cstdint>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "tensor/packed/kv_rows.h"

namespace quintet {

struct MemoryEstimate {
  uint64_t weights = 0;  // bytes, in the form in which they are kept
  uint64_t load = 0;     // bytes, with the vocabulary and room for work: a text of 256 tokens (encoders), a KV cache of
                         // the whole context in float32 (decoders), the activations of a picture (networks)
};

// Of keys and values of so many positions, or of those that the model can see at once.
Result<uint64_t> kv_cache_bytes(const DecoderConfig& config, KvType type, uint64_t positions);

// What a vocabulary's strings and their index take.
uint64_t vocabulary_bytes(uint64_t tokens);

MemoryEstimate estimate_memory(const ModelDescription& description);

}  // namespace quintet
