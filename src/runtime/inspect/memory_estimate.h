#pragma once
// Tells the memory of a loaded model from its description alone, with the sizes that loading and passes plan with.

#include <cstdint>
#include <string_view>

#include "architectures/decoder/config.h"
#include "architectures/encoder/config.h"
#include "architectures/vision/towers.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/generation/generator_model.h"
#include "tensor/packed/kv_rows.h"

namespace quintet {

// The options of a load that change its memory.
struct LoadPlan {
  GeneratorOptions options = {};
  vision::TowerChoice towers = vision::TowerChoice::both;

  bool to_int8() const { return options.quantize != GeneratorOptions::Quantize::none; }
};

// { quantize?, contextLength?, kvCache?, towers? } as JSON. INPUT for an option that is unknown or invalid.
Result<LoadPlan> read_load_plan(std::string_view json);

// Bytes.
struct MemoryEstimate {
  uint64_t weights = 0;  // in the form in which they are stored in memory
  uint64_t reading = 0;  // besides these and the tokenizer, while the file is read
  uint64_t work = 0;     // likewise, of the first use: a text of 256 tokens, a session whose context is full, a picture
};

// For keys and values of this many positions, or of those that the model can see at once.
Result<uint64_t> kv_cache_bytes(const DecoderConfig& config, const KvTypes& types, uint64_t positions);

// The memory of an engine after a load and a first use (docs/sizes.md, "Memory").
uint64_t load_bytes(const MemoryEstimate& memory, uint64_t tokenizer);

// Unknown sizes are 0.
MemoryEstimate estimate_memory(const ModelDescription& description, const LoadPlan& plan = {});

// The estimates of the kinds of models.
MemoryEstimate decoder_memory(const ModelDescription& description, const GeneratorOptions& options);
MemoryEstimate encoder_memory(const ModelDescription& description, bool to_int8);
// Of a tinyRuntime file.
MemoryEstimate table_memory(const ModelDescription& description);
// Of a safetensors file with an image network, or the towers of one. False for other models.
bool graph_memory(const ModelDescription& description, const LoadPlan& plan, MemoryEstimate& memory);

}  // namespace quintet
