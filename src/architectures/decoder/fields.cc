#include "architectures/decoder/fields.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace quintet {
namespace {

using transformer::TraitKeys;

}  // namespace

Status DecoderFields::llama3_rope(const Llama3RopeKeys& keys, Llama3Rope& rope) const {
  QUINTET_CHECK(positive({{keys.factor, rope.factor},
                          {keys.low_freq_factor, rope.low_freq_factor},
                          {keys.high_freq_factor, rope.high_freq_factor},
                          {keys.original_max_seq_len, rope.original_max_seq_len}}));
  return check_llama3_rope(*this, keys.high_freq_factor, rope);
}

// The attention factor follows as in transformers, modeling_rope_utils.py, _compute_yarn_parameters.
Status DecoderFields::yarn_rope(const YarnRopeKeys& keys, YarnRope& rope) const {
  if (!find(keys.factor)) return wrong(Reason::missing, keys.factor, "is missing");
  double attention_factor = 0;
  QUINTET_CHECK(positive({{keys.factor, rope.factor},
                          {keys.beta_fast, rope.beta_fast},
                          {keys.beta_slow, rope.beta_slow},
                          {keys.attention_factor, attention_factor}}));
  rope.attention_factor = attention_factor == 0 ? yarn_growth(rope.factor) : attention_factor;
  return natural(keys.original_max_seq_len, 1, kMaxPositions, rope.original_max_seq_len);
}

// Follows _compute_yarn_parameters of transformers' modeling_rope_utils.py.
Status DecoderFields::yarn_scales(const YarnScaleKeys& keys, YarnRope& rope) const {
  double mscale = 1, mscale_all_dim = 0;
  QUINTET_CHECK(positive({{keys.mscale, mscale}, {keys.mscale_all_dim, mscale_all_dim}}));
  const bool is_apart = mscale_all_dim != 0 && (keys.mscale.empty() || find(keys.mscale));
  if (!is_apart || find(keys.attention_factor)) return {};
  rope.attention_factor = yarn_growth(rope.factor, mscale) / yarn_growth(rope.factor, mscale_all_dim);
  return {};
}

Status DecoderFields::of_layers(std::string_view key, double Xielu::* value, std::vector<Xielu>& parameters) const {
  const Json* found = find(key);
  if (!found) return {};
  const Json::Array* list = found->as_array();
  if (list && list->size() != parameters.size()) {
    return wrong(Reason::mismatch, key, "expected a number for each of {} layers", parameters.size());
  }
  for (size_t layer = 0; layer < parameters.size(); ++layer) {
    const auto number = (list ? (*list)[layer] : *found).as_double();
    if (!number || !std::isfinite(*number)) return wrong(Reason::malformed, key, "expected numbers");
    parameters[layer].*value = *number;
  }
  return {};
}

Status DecoderFields::xielu(const XieluKeys& keys, uint64_t layers, std::vector<Xielu>& parameters) const {
  for (const std::string_view key : {keys.positive, keys.negative}) {
    if (!find(key)) return wrong(Reason::missing, key, "is missing");
  }
  parameters.assign(static_cast<size_t>(layers), {});
  QUINTET_CHECK(of_layers(keys.positive, &Xielu::positive, parameters));
  QUINTET_CHECK(of_layers(keys.negative, &Xielu::negative, parameters));
  QUINTET_CHECK(of_layers(keys.beta, &Xielu::beta, parameters));
  return of_layers(keys.eps, &Xielu::eps, parameters);
}

Status DecoderFields::read(const TraitKeys& keys, DecoderConfig& config) const {
  QUINTET_CHECK(transformer::read_traits(*this, keys, config));
  return complete(keys, config);
}

// Fills in defaults that depend on other fields, and checks that the fields are consistent.
Status DecoderFields::complete(const TraitKeys& keys, DecoderConfig& config) const {
  if (config.n_kv_heads == 0) config.n_kv_heads = config.n_heads;
  if (config.n_heads % config.n_kv_heads != 0) {
    return wrong(Reason::mismatch, keys[&DecoderConfig::n_kv_heads], "does not divide the {} heads", config.n_heads);
  }
  if (config.head_dim == 0) {
    if (config.n_embd % config.n_heads != 0) {
      return wrong(Reason::mismatch, keys[&DecoderConfig::n_heads], "does not divide the width {}", config.n_embd);
    }
    config.head_dim = config.n_embd / config.n_heads;
  }
  if (config.n_experts != 0) {
    if (config.n_experts_used == 0 || config.n_experts_used > config.n_experts) {
      return wrong(Reason::out_of_range, keys[&DecoderConfig::n_experts_used], "expected 1 to {} experts for a token",
                   config.n_experts);
    }
    if (config.expert_ff == 0) config.expert_ff = config.n_ff;
    if (config.expert_ff == 0) return wrong(Reason::missing, keys[&DecoderConfig::expert_ff], "is missing");
  } else if (config.block.has_mlp_beside_experts) {
    config.n_experts_used = config.expert_ff = 0;
    config.has_normalized_router = false;
  }
  if (config.yarn_rope && config.yarn_rope->original_max_seq_len == 0) {
    config.yarn_rope->original_max_seq_len = config.max_seq_len;
  }
  if (config.attention_temperature == 0) {
    config.attention_temperature_length = 0;
  } else if (config.attention_temperature_length == 0) {
    config.attention_temperature_length =
        config.yarn_rope ? config.yarn_rope->original_max_seq_len : config.max_seq_len;
  }
  if (config.rope_dim == 0) config.rope_dim = config.head_dim;
  if (config.rope_dim > config.head_dim) {
    return wrong(Reason::mismatch, keys[&DecoderConfig::rope_dim], "more than the head size of {}", config.head_dim);
  }
  if (config.is_rope && config.rope_dim % 2 != 0) {
    return wrong(Reason::mismatch,
                 find(keys[&DecoderConfig::rope_dim]) ? keys[&DecoderConfig::rope_dim] : keys[&DecoderConfig::head_dim],
                 "the rotated part of a head must be even, found {}", config.rope_dim);
  }
  return {};
}

}  // namespace quintet
