#include "models/decoder/pass_sizes.h"

#include <algorithm>

#include "models/decoder/altup.h"
#include "models/decoder/delta_net.h"
#include "models/transformer/heads.h"

namespace quintet::decoder {

Sizes::Sizes(const DecoderConfig& config)
    : vocab(static_cast<size_t>(config.n_vocab)),
      embd(static_cast<size_t>(config.n_embd)),
      max_ff(static_cast<size_t>(std::max({config.n_ff, config.shared_kv_ff, config.expert_ff, config.shared_ff,
                                           config.layer_input_width, config.laurel_rank}))) {
  for (size_t layer = 0; layer < config.n_layers; ++layer) {
    const Heads heads(config, layer);
    max_queries = std::max(max_queries, heads.queries());
    max_qkv = std::max(max_qkv, heads.qkv());
  }
}

Mamba2Sizes mamba_sizes_of(const DecoderConfig& config) {
  return {.heads = static_cast<size_t>(config.mamba_heads),
          .groups = static_cast<size_t>(config.mamba_groups),
          .inner = static_cast<size_t>(config.mamba_inner),
          .state = static_cast<size_t>(config.mamba_state)};
}

size_t gated_values(const DecoderConfig& config) {
  return config.has_convolutions() ? 3 * static_cast<size_t>(config.n_embd) : 0;
}

bool has_separate_branches(const DecoderConfig& config) {
  return config.block.norms != NormPlacement::before || config.residual_scale != 1 ||
         config.attention_output_scale != 1 || config.mamba_output_scale != 1 || config.mlp_output_scale != 1;
}

PassSizes::PassSizes(const DecoderConfig& config, uint64_t tokens) {
  const Sizes sizes(config);
  x = normed = tokens * sizes.embd;
  branch = has_separate_branches(config) ? x : 0;
  qkv = tokens * std::max(sizes.max_qkv, gated_values(config));
  delta = config.has_delta_net() ? tokens * DeltaNetSizes(config).in() : 0;
  context = tokens * sizes.max_queries;
  hidden = 2 * tokens * sizes.max_ff;
  // The row after those of the tokens is for one of the table.
  layer_inputs = config.layer_input_width == 0 ? 0 : (tokens + 1) * config.n_layers * config.layer_input_width;
  streams = config.block.has_altup ? tokens * kAltUpStreams * sizes.embd : 0;
  mamba_input = config.has_mamba() ? tokens * mamba_sizes_of(config).in() : 0;
}

uint64_t PassSizes::sum() const {
  return x + normed + branch + qkv + delta + context + hidden + layer_inputs + streams + mamba_input;
}

}  // namespace quintet::decoder
