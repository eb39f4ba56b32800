#include "models/encoder/pass_sizes.h"

#include <algorithm>

#include "tensor/packed/panel.h"

namespace quintet::encoder {
namespace {

constexpr uint64_t round_up(uint64_t n, uint64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

PassSizes::PassSizes(const EncoderConfig& config, size_t layers, uint64_t tokens)
    : hidden(tokens * config.n_embd),
      embedded(config.embedding_width == config.n_embd ? 0 : tokens * config.embedding_width),
      layer_inputs(tokens * layers * config.layer_input_width) {
  for (size_t layer = 0; layer < layers; ++layer) {
    const bool attends = config.has_attention(layer);
    qkv = std::max(qkv, tokens * (attends ? config.qkv_width(layer) : 3 * config.n_embd));
    context = std::max(context, tokens * (attends ? config.query_width(layer) : config.n_embd));
  }
}

AttentionSizes::AttentionSizes(const EncoderConfig& config, uint64_t longest)
    : rows(std::min<uint64_t>(longest, kRowBlock)), scores(rows * longest) {
  const uint64_t head_dim = std::max(config.head_dim, config.local_head_dim);
  key_panels = round_up(longest, kPanelRows) * head_dim;
  value_panels = round_up(head_dim, kPanelRows) * longest;
}

size_t intermediate_width(const EncoderConfig& config) {
  return static_cast<size_t>(std::max(config.n_ff * (config.block.is_gated ? 2 : 1), config.layer_input_width));
}

}  // namespace quintet::encoder
