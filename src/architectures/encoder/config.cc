#include "architectures/encoder/config.h"

#include <cmath>
#include <string_view>

#include "architectures/encoder/families.h"
#include "formats/known_fields.h"

namespace quintet {
namespace {

using transformer::TraitKeys;

Failure wrong(std::string_view key, std::string_view problem) {
  return input_error(Reason::out_of_range, "{}: {}", key, problem);
}

Status check_heads(const EncoderConfig& config, uint64_t kv_heads, uint64_t head_dim, std::string_view key) {
  if (config.n_heads % kv_heads != 0) {
    return input_error(Reason::out_of_range, "{} attention heads cannot share {} of keys and values", config.n_heads,
                       kv_heads);
  }
  if (config.n_heads * head_dim > kMaxWidth) {
    return wrong(
        key, formatted("{} heads of {}; queries wider than {} are not supported", config.n_heads, head_dim, kMaxWidth));
  }
  if (!config.is_rope || head_dim % 2 == 0) return {};
  return wrong(key, formatted("heads of {} cannot be rotated in pairs", head_dim));
}

// Experts are as wide as the MLPs of layers without experts.
Status complete_experts(EncoderConfig& config, const TraitKeys& keys) {
  if (config.n_experts == 0) return {};
  config.expert_ff = config.n_ff;
  if (config.n_experts_used != 0 && config.n_experts_used <= config.n_experts) return {};
  return wrong(keys[&EncoderConfig::n_experts_used],
               formatted("expected 1 to {} experts for a token", config.n_experts));
}

}  // namespace

Status complete_encoder_sizes(EncoderConfig& config, const TraitKeys& keys) {
  if (config.head_dim == 0 && config.n_embd % config.n_heads != 0) {
    return input_error(Reason::out_of_range, "{} attention heads do not divide the hidden size {}", config.n_heads,
                       config.n_embd);
  }
  for (const auto size : {&EncoderConfig::n_embd, &EncoderConfig::n_ff}) {
    if (config.*size > kMaxWidth) return wrong(keys[size], formatted("more than {} are not supported", kMaxWidth));
  }
  if (config.n_kv_heads == 0) config.n_kv_heads = config.n_heads;
  if (config.head_dim == 0) config.head_dim = config.n_embd / config.n_heads;
  if (config.embedding_width == 0) config.embedding_width = config.n_embd;
  config.rope_dim = config.head_dim;
  const std::string_view heads = keys[&EncoderConfig::n_heads];
  QUINTET_CHECK(check_heads(config, config.n_kv_heads, config.head_dim, heads));
  if (config.has_local_sizes()) {
    config.local_rope_dim = config.local_head_dim;
    QUINTET_CHECK(check_heads(config, config.local_kv_heads, config.local_head_dim, heads));
  }
  QUINTET_CHECK(complete_experts(config, keys));
  const uint64_t summands = config.relative_buckets == 0 ? 1 : 3;  // of a score
  if (config.attention_scale == 0) {
    config.attention_scale = 1 / std::sqrt(static_cast<double>(summands * config.head_dim));
  }
  if (encoder::family_of(config).has_scaled_embeddings) {
    config.embedding_scale = std::sqrt(static_cast<double>(config.n_embd));
  }
  if (config.position_offset < config.max_seq_len) return {};
  return wrong(keys[&EncoderConfig::max_seq_len],
               formatted("{} rows, but the first position is row {}", config.max_seq_len, config.position_offset));
}

}  // namespace quintet
