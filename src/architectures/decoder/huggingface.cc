// config.json of a Hugging Face decoder. Field names and defaults are those of transformers' configuration classes.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "architectures/decoder/delta.h"
#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"
#include "architectures/decoder/layer_sizes.h"
#include "architectures/decoder/mamba.h"
#include "architectures/decoder/quantization_config.h"
#include "architectures/transformer/convolution_layers.h"
#include "architectures/transformer/layer_sets.h"
#include "base/power.h"

namespace quintet {
namespace {

using decoder::Family;
using decoder::MambaLayers;
using decoder::WindowRule;
using transformer::TraitKeys;

TraitKeys huggingface_keys_of(const Family& family) {
  TraitKeys keys = TraitKeys::of_decoders(Format::safetensors);
  keys[&DecoderConfig::norm_eps] = family.norm_eps_key;
  keys[&DecoderConfig::activation] = family.activation_key;
  keys[&DecoderConfig::n_ff] = family.n_ff_key;
  if (!family.traits.has_parallel_residual) keys[&DecoderConfig::has_parallel_residual] = {};
  // The width of LFM2's MLP may be adjusted, so it is taken from the tensors.
  if (family.has_convolutions) keys[&DecoderConfig::n_ff] = {};
  // Only what the family's class in transformers reads is known.
  if (!family.has_multipliers) {
    for (const auto scale : {&DecoderConfig::embedding_scale, &DecoderConfig::residual_scale,
                             &DecoderConfig::attention_scale, &DecoderConfig::logit_scale}) {
      keys[scale] = {};
    }
  }
  keys[&DecoderConfig::n_experts] = family.n_experts_key;
  keys[&DecoderConfig::shared_ff] = family.shared_ff_key;
  if (!family.has_experts) keys.remove_experts();
  if (family.traits.block.has_mlp_beside_experts) {
    keys[&DecoderConfig::expert_ff] = "intermediate_size";
    keys[&DecoderConfig::shared_ff] = {};
  }
  if (!family.has_attention) {
    for (const auto size :
         {&DecoderConfig::n_heads, &DecoderConfig::n_kv_heads, &DecoderConfig::head_dim, &DecoderConfig::n_ff}) {
      keys[size] = {};
    }
  }
  if (!family.has_softcaps) keys[&DecoderConfig::attention_softcap] = keys[&DecoderConfig::logit_softcap] = {};
  if (family.has_layer_kinds) {
    keys[&DecoderConfig::head_dim] = "global_head_dim";
    keys[&DecoderConfig::local_head_dim] = "head_dim";
    keys[&DecoderConfig::n_ff] = {};
  } else {
    keys[&DecoderConfig::n_shared_kv_layers] = keys[&DecoderConfig::layer_input_width] = {};
    keys[&DecoderConfig::layer_input_vocab] = {};
  }
  if (!family.traits.block.has_altup) keys[&DecoderConfig::laurel_rank] = {};
  for (const auto& [member, key] : family.keys) keys[member] = key;
  return keys;
}

// transformers leaves fields with the default of its class out of config.json.
DecoderConfig defaults_of(const Family& family) {
  DecoderConfig config = {{family.traits}};
  config.architecture = family.model_type;
  config.max_seq_len = family.max_seq_len;
  config.norm_eps = family.norm_eps;
  config.head_dim = family.head_dim;
  config.local_head_dim = family.local_head_dim;
  config.layer_input_width = family.layer_input_width;
  config.tie_embeddings = family.tie_embeddings;
  config.rope_freq_base = family.rope_freq_base;
  return config;
}

constexpr FixedField kFixed[] = {{"is_causal", "true"}, {"conv_bias", "false"}};

constexpr FixedField kUnscaled[] = {{"type", R"("default")"}, {"rope_type", R"("default")"}};

// Fields that are only read if others require it, or that read_weight_packing() reads.
constexpr std::string_view kReadElsewhere =
    "quantization_config is_decoder sliding_window max_window_layers original_max_position_embeddings";
// Fields of this kind in rope_scaling and rope_parameters. The sections of M-RoPE give each part of a head one of three
// coordinates, which are equal in texts.
constexpr std::string_view kOfRope =
    "finetuned partial_rotary_factor max_position_embeddings original_max_position_embeddings mrope_section "
    "mrope_interleaved";

// Null means no window.
Status read_window(const Family& family, const Json& json, const DecoderFields& fields, DecoderConfig& config) {
  bool is_used = family.window == WindowRule::always;
  if (family.window == WindowRule::if_used) QUINTET_CHECK(fields.flag("use_sliding_window", is_used));
  if (!is_used) return {};
  if (!json.find("sliding_window")) config.sliding_window = family.sliding_window;
  return fields.natural("sliding_window", 0, kMaxPositions, config.sliding_window);
}

// `layer_types` lists it for each layer; older files have an interval, or the number of layers before the first window.
Status read_full_attention_layers(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (config.sliding_window == 0) {
    const bool says_layers =
        family.has_convolutions || family.has_delta_net || family.mamba_layers == MambaLayers::listed;
    return says_layers ? Status() : fields.check_layers_alike(family.attention_type);
  }
  if (fields.find("layer_types")) {
    return read_listed_layers(fields, "layer_types", config.n_layers, family.attention_type, R"("sliding_attention")",
                              config.full_attention_layers);
  }
  if (family.window == WindowRule::if_used) {
    uint64_t count = 0;
    if (!fields.find("max_window_layers")) return fields.wrong(Reason::missing, "layer_types", "is missing");
    QUINTET_CHECK(fields.natural("max_window_layers", 0, kMaxLayers, count));
    config.full_attention_layers = first_layers(count, config.n_layers);
    return {};
  }
  uint64_t interval = family.full_attention_interval;
  if (interval != 0) QUINTET_CHECK(fields.natural("sliding_window_pattern", 1, kMaxLayers, interval));
  config.full_attention_layers = every_nth_layer(interval, config.n_layers, family.has_full_attention_first);
  return {};
}

// In `no_rope_layers`, 1 stands for a layer with RoPE.
Status read_no_rope_layers(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  uint64_t interval = family.no_rope_interval;
  if (interval == 0) return {};
  QUINTET_CHECK(fields.natural("no_rope_layer_interval", 1, kMaxLayers, interval));
  config.no_rope_layers = every_nth_layer(interval, config.n_layers);
  return read_listed_layers(fields, "no_rope_layers", config.n_layers, "0", "1", config.no_rope_layers);
}

Status read_convolutions(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (!family.has_convolutions) return {};
  QUINTET_CHECK(fields.positive("theta", kMaxReal, config.rope_freq_base));  // goes before rope_theta
  QUINTET_CHECK(read_convolution_layers(fields, config));
  if (!config.convolution_layers.empty()) {
    config.convolution_length = 3;
    QUINTET_CHECK(fields.natural("conv_L_cache", 1, kMaxKernel, config.convolution_length));
  }
  return fields.flag("tie_embedding", config.tie_embeddings.emplace(*config.tie_embeddings));
}

// The scales of MiniCPM (arXiv:2404.06395, section 3): `scale_depth` is divided by the root of the number of layers,
// and logits by the width as a multiple of `dim_model_base`.
Status read_depth_scales(const DecoderFields& fields, DecoderConfig& config) {
  double depth = 1, base = 1;
  QUINTET_CHECK(fields.positive("scale_emb", kMaxReal, config.embedding_scale));
  QUINTET_CHECK(fields.positive("scale_depth", kMaxReal, depth));
  QUINTET_CHECK(fields.positive("dim_model_base", kMaxReal, base));
  config.residual_scale = depth / std::sqrt(static_cast<double>(config.n_layers));
  config.logit_scale = static_cast<double>(config.n_embd) / base;
  return {};
}

Status read_scales(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (family.has_depth_scales) QUINTET_CHECK(read_depth_scales(fields, config));
  if (family.has_logit_factor && fields.find("logit_scale")) {
    QUINTET_CHECK(fields.positive("logit_scale", kMaxReal, config.logit_scale));
    config.logit_scale = 1 / config.logit_scale;
  }
  if (family.has_scaled_embeddings) config.embedding_scale = std::sqrt(static_cast<double>(config.n_embd));
  double scalar = family.query_pre_attn_scalar;
  if (scalar == 0) return {};
  QUINTET_CHECK(fields.positive("query_pre_attn_scalar", kMaxReal, scalar));
  config.attention_scale = 1 / std::sqrt(scalar);
  return {};
}

// "su" in older files.
bool is_long_rope(std::string_view type) { return type == "longrope" || type == "su"; }

// An attention factor of 0 follows from the lengths.
Status read_long_rope_factors(const DecoderFields& fields, LongRope& rope) {
  rope.attention_factor = 0;
  QUINTET_CHECK(fields.positives("short_factor", rope.short_factors));
  QUINTET_CHECK(fields.positives("long_factor", rope.long_factors));
  QUINTET_CHECK(fields.positive("attention_factor", kMaxReal, rope.attention_factor));
  return fields.natural("original_max_position_embeddings", 1, kMaxPositions, rope.original_max_seq_len);
}

// llama_4_scaling_beta: the temperature of attention (transformers, modeling_ministral3.py).
Status read_more_of_yarn(const DecoderFields& fields, DecoderConfig& config) {
  constexpr FixedField kTruncated[] = {{"truncate", "true"}};
  QUINTET_CHECK(fields.check_fixed(kTruncated));
  QUINTET_CHECK(fields.positive("llama_4_scaling_beta", kMaxReal, config.attention_temperature));
  return fields.yarn_scales(
      {.attention_factor = "attention_factor", .mscale = "mscale", .mscale_all_dim = "mscale_all_dim"},
      *config.yarn_rope);
}

// The positions of layers with a window are not scaled.
Status read_local_rope(const Json& json, DecoderConfig& config) {
  const DecoderFields fields(json, "config.json: sliding_attention", DecoderFields::Nulls::absent);
  QUINTET_CHECK(fields.check_fixed(kUnscaled));
  QUINTET_CHECK(fields.positive("rope_theta", kMaxReal, config.local_rope_freq_base));
  return fields.check_all_known({});
}

Status read_rope_type(const DecoderFields& outer, std::string_view key, const DecoderFields& fields,
                      DecoderConfig& config) {
  std::string type = "default";
  QUINTET_CHECK(fields.text("type", type));
  QUINTET_CHECK(fields.text("rope_type", type));
  QUINTET_CHECK(fields.positive("rope_theta", kMaxReal, config.rope_freq_base));
  if (is_long_rope(type)) return read_long_rope_factors(fields, config.long_rope.emplace());
  if (type == "proportional" && key != "rope_scaling") return {};  // read_rotated_pairs()
  QUINTET_CHECK(read_rope_scaling_json(outer, key, fields, type, "longrope", config));
  return type == "yarn" ? read_more_of_yarn(fields, config) : Status();
}

// Scaling of positions: "type" in older files, "rope_type" in newer ones. One object, or one for each kind of layer.
Status read_rope(const DecoderFields& outer, std::string_view key, DecoderConfig& config) {
  const Json* object = outer.find(key);
  if (!object) return {};
  if (!object->as_object()) return outer.wrong(Reason::malformed, key, "expected an object");
  const DecoderFields fields(*object, formatted("config.json: {}", key), DecoderFields::Nulls::absent);
  if (const Json* local = fields.find("sliding_attention")) {
    QUINTET_CHECK(read_local_rope(*local, config));
    QUINTET_CHECK(read_rope(fields, "full_attention", config));
  } else {
    QUINTET_CHECK(read_rope_type(outer, key, fields, config));
  }
  return fields.check_all_known({kOfRope});
}

// The factor by which attention grows with the length (transformers, modeling_rope_utils.py,
// _compute_longrope_parameters).
Status infer_attention_factor(const DecoderFields& fields, DecoderConfig& config) {
  if (!config.long_rope) return {};
  LongRope& rope = *config.long_rope;
  QUINTET_CHECK(fields.natural("original_max_position_embeddings", 1, kMaxPositions, rope.original_max_seq_len));
  if (rope.original_max_seq_len == 0) {
    return fields.wrong(Reason::missing, "original_max_position_embeddings", "is missing");
  }
  const auto original = static_cast<double>(rope.original_max_seq_len);
  const double scale = static_cast<double>(config.max_seq_len) / original;
  if (rope.attention_factor == 0) {
    rope.attention_factor = scale <= 1 ? 1 : std::sqrt(1 + std::log(scale) / std::log(original));
  }
  return {};
}

// The base of RoPE times alpha^(d / (d - 2)) (transformers, modeling_hunyuan_v1_dense.py).
Status read_rope_alpha(const DecoderFields& outer, std::string_view key, DecoderConfig& config) {
  const Json* object = outer.find(key);
  if (!object) return {};
  if (!object->as_object()) return outer.wrong(Reason::malformed, key, "expected an object");
  constexpr FixedField kDynamic[] = {{"type", R"("dynamic")"}, {"rope_type", R"("dynamic")"}, {"factor", "1"}};
  const DecoderFields fields(*object, formatted("config.json: {}", key), DecoderFields::Nulls::absent);
  QUINTET_CHECK(fields.check_fixed(kDynamic));
  double alpha = 1;
  QUINTET_CHECK(fields.positive("rope_theta", kMaxReal, config.rope_freq_base));
  QUINTET_CHECK(fields.positive("alpha", kMaxReal, alpha));
  const auto width = static_cast<double>(config.head_dim);
  if (width > 2) config.rope_freq_base *= alpha * power(alpha, 2 / (width - 2));
  return fields.check_all_known({"beta_* mscale*"});
}

// The frequencies are those of whole heads, of which the first pairs are rotated (transformers, modeling_rope_utils.py,
// _compute_proportional_rope_parameters).
Status read_rotated_pairs(const Json& json, DecoderConfig& config) {
  const Json& outer = json.get("rope_parameters");
  const Json* full = outer.find("full_attention");
  const Json& rope = full ? *full : outer;
  const std::string* type = rope.get("rope_type").as_string();
  if (!type || *type != "proportional") return {};
  double part = 1;
  const DecoderFields fields(rope, "config.json: rope_parameters", DecoderFields::Nulls::absent);
  QUINTET_CHECK(fields.positive("partial_rotary_factor", 1, part));
  config.rope_rotated_pairs = static_cast<uint64_t>(static_cast<double>(config.head_dim) * part) / 2;
  if (config.rope_rotated_pairs != 0) return {};
  return fields.wrong(Reason::mismatch, "partial_rotary_factor", "rotates no pair of a head");
}

Status read_rotated_part(const DecoderFields& fields, std::string_view key, double part, DecoderConfig& config) {
  if (!config.is_rope) return {};
  if (const Json* newer = fields.find("rope_parameters")) {
    const DecoderFields inner(*newer, "config.json: rope_parameters", DecoderFields::Nulls::absent);
    QUINTET_CHECK(inner.positive("partial_rotary_factor", 1, part));
  }
  QUINTET_CHECK(fields.positive(key, 1, part));
  config.rope_dim = static_cast<uint64_t>(static_cast<double>(config.head_dim) * part);
  if (config.rope_dim != 0 && config.rope_dim % 2 == 0) return {};
  return fields.wrong(Reason::mismatch, key, "rotates {} dimensions of a head, expected an even number above 0",
                      config.rope_dim);
}

// Granite 4's layers with attention rotate only if the configuration asks for it.
Status read_position_embedding(const DecoderFields& fields, DecoderConfig& config) {
  std::string kind = "nope";
  QUINTET_CHECK(fields.text("position_embedding_type", kind));
  config.is_rope = kind == "rope";
  return {};
}

}  // namespace

Result<DecoderConfig> read_huggingface_config(const Json& json) {
  const DecoderFields fields(json, "config.json", DecoderFields::Nulls::absent);
  std::string model_type;
  QUINTET_CHECK(fields.text("model_type", model_type));
  const Family* family = decoder::family_of_model_type(model_type);
  if (!family || !family->has_folder) {
    return fields.unsupported("model_type", "supported are bert, {}", decoder::supported_model_types());
  }
  QUINTET_CHECK(fields.check_fixed(kFixed));
  QUINTET_CHECK(fields.check_fixed(family->fixed));
  QUINTET_CHECK(decoder::read_weight_packing(json));
  DecoderConfig config = defaults_of(*family);
  QUINTET_CHECK(read_window(*family, json, fields, config));
  if (family->mamba_layers == MambaLayers::pattern) {
    QUINTET_CHECK(fields.natural("attention_head_dim", 1, kMaxWidth, config.head_dim));
  }
  for (const std::string_view key : {"rope_scaling", "rope_parameters"}) {
    if (!family->has_rope_alpha) QUINTET_CHECK(read_rope(fields, key, config));
  }
  if (family->has_yarn && !config.yarn_rope) {
    return fields.unsupported("rope_parameters", "expected those of yarn, without which this model is not defined");
  }
  TraitKeys keys = huggingface_keys_of(*family);
  // The rope_theta inside rope_parameters takes precedence over the one next to it.
  std::string_view& base_key = keys[&DecoderConfig::rope_freq_base];
  if (json.get("rope_parameters").find("rope_theta") && fields.find(base_key)) base_key = {};
  QUINTET_CHECK(fields.read(keys, config));
  for (const std::string_view key : {"rope_scaling", "rope_parameters"}) {
    if (family->has_rope_alpha) QUINTET_CHECK(read_rope_alpha(fields, key, config));
  }
  QUINTET_CHECK(read_rotated_part(fields, family->rotated_part_key, family->rotated_part, config));
  QUINTET_CHECK(infer_attention_factor(fields, config));
  QUINTET_CHECK(read_full_attention_layers(*family, fields, config));
  QUINTET_CHECK(read_no_rope_layers(*family, fields, config));
  decoder::infer_rope_by_window(*family, config);
  QUINTET_CHECK(read_convolutions(*family, fields, config));
  QUINTET_CHECK(read_rotated_pairs(json, config));
  QUINTET_CHECK(decoder::read_layer_kinds(*family, fields, config));
  QUINTET_CHECK(decoder::read_huggingface_mamba(*family, fields, config));
  QUINTET_CHECK(decoder::read_huggingface_delta_net(*family, fields, config));
  if (family->traits.block.has_mlp_beside_experts) QUINTET_CHECK(read_position_embedding(fields, config));
  QUINTET_CHECK(read_scales(*family, fields, config));
  QUINTET_CHECK(decoder::complete_layer_sizes(fields, config));
  QUINTET_CHECK(fields.check_all_known({kWithoutInfluence, kReadElsewhere, family->without_influence}));
  return config;
}

}  // namespace quintet
