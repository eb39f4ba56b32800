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

// What the weights of an image network take in the form in which they are kept. Requires a description with layers.
uint64_t network_weight_bytes(const ModelDescription& description);

// Room for a picture of the usual size on its way: the input, and three times the largest activation.
uint64_t network_work_bytes(const LayerTable& layers);

}  // namespace quintet
