#include "architectures/encoder/config.h"

#include <cmath>
#include <string>

#include "architectures/encoder/families.h"
#include "formats/known_fields.h"

namespace quintet {
namespace {

using transformer::TraitKeys;

Failure wrong(std::string_view key, const std::string& problem) {
  return input_error(Reason::out_of_range, std::string(key) + ": " + problem);
}

Status check_heads(const EncoderConfig& config, const TraitKeys& keys) {
  const std::string heads = std::to_string(config.n_heads);
  if (config.n_heads % config.n_kv_heads != 0) {
    return input_error(Reason::out_of_range, heads + " attention heads cannot share " +
                                                 std::to_string(config.n_kv_heads) + " of keys and values");
  }
  const std::string_view key = keys[&EncoderConfig::n_heads];
  const std::string dim = std::to_string(config.head_dim);
  if (config.query_width() > kMaxWidth) {
    return wrong(
        key, heads + " heads of " + dim + "; queries wider than " + std::to_string(kMaxWidth) + " are not supported");
  }
  if (config.is_rope && config.head_dim % 2 != 0) return wrong(key, "heads of " + dim + " cannot be rotated in pairs");
  return {};
}

}  // namespace

Status complete_encoder_sizes(EncoderConfig& config, const TraitKeys& keys) {
  if (config.head_dim == 0 && config.n_embd % config.n_heads != 0) {
    return input_error(Reason::out_of_range, std::to_string(config.n_heads) +
                                                 " attention heads do not divide the hidden size " +
                                                 std::to_string(config.n_embd));
  }
  for (const auto size : {&EncoderConfig::n_embd, &EncoderConfig::n_ff}) {
    if (config.*size > kMaxWidth) {
      return wrong(keys[size], "more than " + std::to_string(kMaxWidth) + " are not supported");
    }
  }
  if (config.n_kv_heads == 0) config.n_kv_heads = config.n_heads;
  if (config.head_dim == 0) config.head_dim = config.n_embd / config.n_heads;
  if (config.embedding_width == 0) config.embedding_width = config.n_embd;
  config.rope_dim = config.head_dim;
  QUINTET_CHECK(check_heads(config, keys));
  if (config.attention_scale == 0) config.attention_scale = 1 / std::sqrt(static_cast<double>(config.head_dim));
  if (encoder::family_of(config).has_scaled_embeddings)
    config.embedding_scale = std::sqrt(static_cast<double>(config.n_embd));
  if (config.position_offset < config.max_seq_len) return {};
  return wrong(keys[&EncoderConfig::max_seq_len], std::to_string(config.max_seq_len) +
                                                      " rows, but the first position is row " +
                                                      std::to_string(config.position_offset));
}

}  // namespace quintet
