#pragma once
// Tells the memory of a loaded model from its description alone, with the sizes that loading and passes plan with.

#include <cstdint>

#include "architectures/decoder/config.h"
#include "architectures/encoder/config.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/generation/generator_model.h"
#include "tensor/packed/kv_rows.h"

namespace quintet {

// Bytes.
struct MemoryEstimate {
  uint64_t weights = 0;  // in the form in which they are stored in memory
  uint64_t work = 0;     // besides these and the tokenizer: of the first use: a text of 256 tokens, a session whose
                         // context is full, a picture
};

// For keys and values of this many positions, or of those that the model can see at once.
Result<uint64_t> kv_cache_bytes(const DecoderConfig& config, const KvTypes& types, uint64_t positions);

// The memory of an engine after a load and a first use (docs/sizes.md, "Memory").
uint64_t load_bytes(const MemoryEstimate& memory, uint64_t tokenizer);

// Unknown sizes are 0. `load`: the options of the load, of which other models than decoders have `quantize`.
MemoryEstimate estimate_memory(const ModelDescription& description, const GeneratorOptions& load = {});

// The estimates of the kinds of models.
MemoryEstimate decoder_memory(const ModelDescription& description, const GeneratorOptions& options);
MemoryEstimate encoder_memory(const ModelDescription& description, bool to_int8);
// A tinyRuntime file.
MemoryEstimate table_memory(const ModelDescription& description);
// A safetensors file with an image network, about.
MemoryEstimate picture_memory(const ModelDescription& description);

}  // namespace quintet
