#pragma once
// The sizes of the buffers of a pass, which follow from the configuration alone.

#include <cstddef>
#include <cstdint>

#include "architectures/decoder/config.h"
#include "models/decoder/mamba2.h"

namespace quintet::decoder {

// The sizes of the config, and the largest of any layer. Weights of these shapes are in memory.
struct Sizes {
  explicit Sizes(const DecoderConfig& config);

  size_t vocab, embd, max_ff, max_queries = 0, max_qkv = 0;
};

Mamba2Sizes mamba_sizes_of(const DecoderConfig& config);
// A short convolution has two gates and the values.
size_t gated_values(const DecoderConfig& config);
// Whether the result of a branch is normalized or scaled before it is added.
bool has_separate_branches(const DecoderConfig& config);

// The numbers of values in the buffers of a pass (pass.h) of some tokens.
struct PassSizes {
  PassSizes(const DecoderConfig& config, uint64_t tokens);

  uint64_t sum() const;

  uint64_t x, normed, branch, qkv, delta, context, hidden, layer_inputs, streams, mamba_input;
};

}  // namespace quintet::decoder
