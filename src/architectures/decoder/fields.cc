#include "architectures/decoder/fields.h"

#include <array>
#include <cmath>
#include <string>

namespace quintet {
namespace {

struct SizeField {
  std::string_view DecoderKeys::* key;
  uint64_t DecoderConfig::* value;
  uint64_t least, most;
  bool required;
};
constexpr std::array<SizeField, 11> kSizeFields = {{
    {&DecoderKeys::n_vocab, &DecoderConfig::n_vocab, 1, kMaxTokens, true},
    {&DecoderKeys::n_embd, &DecoderConfig::n_embd, 1, kMaxWidth, true},
    {&DecoderKeys::n_layers, &DecoderConfig::n_layers, 1, kMaxLayers, true},
    {&DecoderKeys::n_heads, &DecoderConfig::n_heads, 1, kMaxHeads, true},
    {&DecoderKeys::n_kv_heads, &DecoderConfig::n_kv_heads, 1, kMaxHeads, false},
    {&DecoderKeys::head_dim, &DecoderConfig::head_dim, 1, kMaxWidth, false},
    {&DecoderKeys::n_ff, &DecoderConfig::n_ff, 1, kMaxWidth, false},
    {&DecoderKeys::max_seq_len, &DecoderConfig::max_seq_len, 1, kMaxPositions, false},
    {&DecoderKeys::rope_dim, &DecoderConfig::rope_dim, 1, kMaxWidth, false},
    {&DecoderKeys::sliding_window, &DecoderConfig::sliding_window, 0, kMaxPositions, false},
    {&DecoderKeys::attention_temperature_length, &DecoderConfig::attention_temperature_length, 1, kMaxPositions, false},
}};

struct RealField {
  std::string_view DecoderKeys::* key;
  double DecoderConfig::* value;
  double most;
};
constexpr RealField kRealFields[] = {
    {&DecoderKeys::rope_freq_base, &DecoderConfig::rope_freq_base, kMaxReal},
    {&DecoderKeys::rope_scaling, &DecoderConfig::rope_scaling, kMaxReal},
    {&DecoderKeys::local_rope_freq_base, &DecoderConfig::local_rope_freq_base, kMaxReal},
    {&DecoderKeys::norm_eps, &DecoderConfig::norm_eps, 1},
    {&DecoderKeys::embedding_scale, &DecoderConfig::embedding_scale, kMaxReal},
    {&DecoderKeys::residual_scale, &DecoderConfig::residual_scale, kMaxReal},
    {&DecoderKeys::attention_scale, &DecoderConfig::attention_scale, kMaxReal},
    {&DecoderKeys::logit_scale, &DecoderConfig::logit_scale, kMaxReal},
    {&DecoderKeys::attention_softcap, &DecoderConfig::attention_softcap, kMaxReal},
    {&DecoderKeys::logit_softcap, &DecoderConfig::logit_softcap, kMaxReal},
    {&DecoderKeys::attention_temperature, &DecoderConfig::attention_temperature, kMaxReal},
};

struct FormatKeys {
  Format format;
  DecoderKeys keys;
};
// In ALT and GGUF the number of tokens follows from the tensors.
constexpr FormatKeys kFormatKeys[] = {
    {.format = Format::amb,
     .keys = {.n_vocab = "n_vocab",
              .n_embd = "n_embd",
              .n_layers = "n_layers",
              .n_heads = "n_heads",
              .n_kv_heads = "n_kv_heads",
              .head_dim = "head_dim",
              .n_ff = "n_ff",
              .max_seq_len = "max_seq_len",
              .activation = "activation_fn",
              .rope_freq_base = "rope_freq_base",
              .rope_scaling = "rope_scaling",
              .rope_dim = "rope_dim",
              .sliding_window = "sliding_window",
              .norm_eps = "norm_eps",
              .tie_embeddings = "tie_embeddings",
              .local_rope_freq_base = "local_rope_freq_base",
              .embedding_scale = "embedding_scale",
              .residual_scale = "residual_scale",
              .attention_scale = "attention_scale",
              .logit_scale = "logit_scale",
              .attention_softcap = "attention_softcap",
              .logit_softcap = "logit_softcap",
              .attention_temperature = "attention_temperature",
              .attention_temperature_length = "attention_temperature_length"}},
    {.format = Format::alt,
     .keys = {.n_embd = "hidden_size",
              .n_layers = "num_hidden_layers",
              .n_heads = "num_attention_heads",
              .n_kv_heads = "num_key_value_heads",
              .head_dim = "head_size",
              .n_ff = "intermediate_size",
              .max_seq_len = "max_position_embeddings",
              .activation = "hidden_act",
              .rope_freq_base = "rope_theta",
              .sliding_window = "sliding_window",
              .norm_eps = "rms_norm_eps",
              .tie_embeddings = "tie_word_embeddings"}},
    {.format = Format::safetensors,
     .keys = {.n_vocab = "vocab_size",
              .n_embd = "hidden_size",
              .n_layers = "num_hidden_layers",
              .n_heads = "num_attention_heads",
              .n_kv_heads = "num_key_value_heads",
              .head_dim = "head_dim",
              .n_ff = "intermediate_size",
              .max_seq_len = "max_position_embeddings",
              .activation = "hidden_act",
              .rope_freq_base = "rope_theta",
              .norm_eps = "rms_norm_eps",
              .tie_embeddings = "tie_word_embeddings",
              .local_rope_freq_base = "rope_local_base_freq",
              .embedding_scale = "embedding_multiplier",
              .residual_scale = "residual_multiplier",
              .attention_scale = "attention_multiplier",
              .logit_scale = "logits_scaling",
              .attention_softcap = "attn_logit_softcapping",
              .logit_softcap = "final_logit_softcapping"}},
    {.format = Format::gguf,
     .keys = {.n_embd = "embedding_length",
              .n_layers = "block_count",
              .n_heads = "attention.head_count",
              .n_kv_heads = "attention.head_count_kv",
              .head_dim = "attention.key_length",
              .n_ff = "feed_forward_length",
              .max_seq_len = "context_length",
              .rope_freq_base = "rope.freq_base",
              .rope_dim = "rope.dimension_count",
              .sliding_window = "attention.sliding_window",
              .local_rope_freq_base = "rope.freq_base_swa",
              .embedding_scale = "embedding_scale",
              .residual_scale = "residual_scale",
              .attention_scale = "attention.scale",
              .logit_scale = "logit_scale",
              .attention_softcap = "attn_logit_softcapping",
              .logit_softcap = "final_logit_softcapping",
              .attention_temperature = "attention.temperature_scale",
              .attention_temperature_length = "attention.temperature_length"}},
};

// By which attention grows with the length (arXiv:2309.00071, section 3.4).
double yarn_growth(double factor, double mscale) { return factor <= 1 ? 1 : 0.1 * mscale * std::log(factor) + 1; }

}  // namespace

const DecoderKeys& decoder_keys(Format format) {
  static constexpr DecoderKeys kNone = {};
  for (const FormatKeys& row : kFormatKeys) {
    if (row.format == format) return row.keys;
  }
  return kNone;
}

Status DecoderFields::llama3_rope(const Llama3RopeKeys& keys, Llama3Rope& rope) const {
  QUINTET_CHECK(positive(keys.factor, kMaxReal, rope.factor));
  QUINTET_CHECK(positive(keys.low_freq_factor, kMaxReal, rope.low_freq_factor));
  QUINTET_CHECK(positive(keys.high_freq_factor, kMaxReal, rope.high_freq_factor));
  QUINTET_CHECK(positive(keys.original_max_seq_len, kMaxReal, rope.original_max_seq_len));
  if (rope.high_freq_factor > rope.low_freq_factor) return {};
  return wrong(Reason::mismatch, keys.high_freq_factor, "expected more than " + std::string(keys.low_freq_factor));
}

// The attention factor follows as in transformers, modeling_rope_utils.py, _compute_yarn_parameters.
Status DecoderFields::yarn_rope(const YarnRopeKeys& keys, YarnRope& rope) const {
  double mscale = 1, mscale_all_dim = 0;
  if (!find(keys.factor)) return wrong(Reason::missing, keys.factor, "is missing");
  QUINTET_CHECK(positive(keys.factor, kMaxReal, rope.factor));
  QUINTET_CHECK(positive(keys.beta_fast, kMaxReal, rope.beta_fast));
  QUINTET_CHECK(positive(keys.beta_slow, kMaxReal, rope.beta_slow));
  QUINTET_CHECK(natural(keys.original_max_seq_len, 1, kMaxPositions, rope.original_max_seq_len));
  QUINTET_CHECK(positive(keys.mscale, kMaxReal, mscale));
  QUINTET_CHECK(positive(keys.mscale_all_dim, kMaxReal, mscale_all_dim));
  const bool is_apart = mscale_all_dim != 0 && (keys.mscale.empty() || find(keys.mscale));
  rope.attention_factor = is_apart ? yarn_growth(rope.factor, mscale) / yarn_growth(rope.factor, mscale_all_dim)
                                   : yarn_growth(rope.factor, 1);
  return positive(keys.attention_factor, kMaxReal, rope.attention_factor);
}

Status DecoderFields::read(const DecoderKeys& keys, DecoderConfig& config) const {
  QUINTET_CHECK(read_sizes(keys, config));
  QUINTET_CHECK(activation(keys.activation, config.activation));
  for (const RealField& field : kRealFields) {
    QUINTET_CHECK(positive(keys.*field.key, field.most, config.*field.value));
  }
  if (find(keys.tie_embeddings)) QUINTET_CHECK(flag(keys.tie_embeddings, config.tie_embeddings.emplace()));
  return complete(keys, config);
}

Status DecoderFields::read_sizes(const DecoderKeys& keys, DecoderConfig& config) const {
  for (const SizeField& field : kSizeFields) {
    const std::string_view key = keys.*field.key;
    if (field.required && !key.empty() && !find(key)) return wrong(Reason::missing, key, "is missing");
    QUINTET_CHECK(natural(key, field.least, field.most, config.*field.value));
  }
  return {};
}

// Fills in defaults that depend on other fields, and checks that the fields are consistent.
Status DecoderFields::complete(const DecoderKeys& keys, DecoderConfig& config) const {
  if (config.n_kv_heads == 0) config.n_kv_heads = config.n_heads;
  if (config.n_heads % config.n_kv_heads != 0) {
    return wrong(Reason::mismatch, keys.n_kv_heads, "does not divide the " + std::to_string(config.n_heads) + " heads");
  }
  if (config.head_dim == 0) {
    if (config.n_embd % config.n_heads != 0) {
      return wrong(Reason::mismatch, keys.n_heads, "does not divide the width " + std::to_string(config.n_embd));
    }
    config.head_dim = config.n_embd / config.n_heads;
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
    return wrong(Reason::mismatch, keys.rope_dim, "more than the head size of " + std::to_string(config.head_dim));
  }
  if (config.is_rope && config.rope_dim % 2 != 0) {
    return wrong(Reason::mismatch, find(keys.rope_dim) ? keys.rope_dim : keys.head_dim,
                 "the rotated part of a head must be even, found " + std::to_string(config.rope_dim));
  }
  return {};
}

}  // namespace quintet
