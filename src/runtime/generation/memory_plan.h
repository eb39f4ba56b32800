#pragma once
// The memory of a decoder: weights as they are announced, and a KV cache.

#include <cstdint>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "runtime/generation/generator_model.h"

namespace quintet {

class MemoryPlan {
 public:
  // `available`: bytes.
  MemoryPlan(const GeneratorOptions& options, uint64_t available);

  // Plans a KV cache for the requested context, or for the default one. INPUT if the model supports less.
  Status plan_cache(const DecoderConfig& config);
  // Announces the bytes of all weights together; 0 if unknown. MEMORY if they do not fit.
  Status expect(uint64_t weights);
  // Adds the bytes of announced weights. MEMORY if what was added does not fit.
  Status add(uint64_t weights);
  // Lets the heap grow once for all weights: a JavaScript engine collects garbage after every few times that its
  // WebAssembly memory grows.
  void grow_heap();

  // Returns the requested context, or else as much of the model's as fits into memory next to the weights.
  Result<uint64_t> context_beside(uint64_t weights, const DecoderConfig& config) const;

 private:
  Status check(uint64_t weights) const;

  uint64_t context_length_;  // requested; 0: none
  KvTypes kv_types_;
  uint64_t available_;
  uint64_t cache_ = 0;     // bytes of a KV cache for the minimum context
  uint64_t planned_ = 0;   // bytes of the announced weights
  uint64_t expected_ = 0;  // bytes of all weights, as far as they are known beforehand
  uint64_t heap_ = 0;      // bytes for weights by which the heap has grown
};

}  // namespace quintet
