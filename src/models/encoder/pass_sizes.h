#pragma once
// The sizes of the buffers of an encoder's pass, which follow from the configuration alone.

#include <cstddef>
#include <cstdint>

#include "architectures/encoder/config.h"

namespace quintet::encoder {

// The number of rows that go through a chain of layers together, so that the widest activations, those of the MLP, do
// not grow with the text (docs/architecture.md). A multiple of the GEMM tiles' heights.
inline constexpr size_t kRowBlock = 96;

// Values for all tokens of a pass.
struct PassSizes {
  PassSizes(const EncoderConfig& config, size_t layers, uint64_t tokens);

  uint64_t sum() const { return hidden + embedded + qkv + context + layer_inputs; }

  uint64_t hidden, embedded, qkv = 0, context = 0, layer_inputs;
};

// Values for the attention of one thread, in sequences of at most `longest` tokens. Relative positions need more.
struct AttentionSizes {
  AttentionSizes(const EncoderConfig& config, uint64_t longest);

  uint64_t sum() const { return scores + key_panels + value_panels; }

  uint64_t rows;  // queries that are processed together
  uint64_t scores, key_panels, value_panels;
};

// The width of the hidden part of an MLP, with its gates, or of what a layer adds.
size_t intermediate_width(const EncoderConfig& config);

}  // namespace quintet::encoder
