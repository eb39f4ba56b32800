// config.json of a Hugging Face encoder. Field names and defaults are those of transformers' configuration classes or,
// for models with their own code, of that code.

#include <cmath>
#include <string>

#include "architectures/config_fields.h"
#include "architectures/encoder/families.h"
#include "architectures/encoder/family_fields.h"
#include "architectures/transformer/convolution_layers.h"
#include "architectures/transformer/layer_sets.h"
#include "base/power.h"

namespace quintet {
namespace {

using encoder::Family;

// Read by read_head_json().
constexpr std::string_view kOfHead = "classifier_*";

// Two names for the same: that of Gemma, which others have taken over, and that of an attribute in transformers. Some
// models only show it by their class. GGUF files of Gemma 3 are always bidirectional.
Status read_direction(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  config.is_causal |= family.naming == encoder::Naming::gemma;
  if (!config.is_causal) return {};
  const Json* classes = fields.find("architectures");
  bool is_bidirectional = classes && write_json(*classes).find("Bidirectional") != std::string::npos;
  QUINTET_CHECK(fields.flag("is_causal", config.is_causal));
  QUINTET_CHECK(fields.flag("use_bidirectional_attention", is_bidirectional));
  config.is_causal = config.is_causal && !is_bidirectional;
  return {};
}

Status read_attention_scale(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  double scalar = family.query_pre_attn_scalar;
  if (scalar == 0) return {};
  QUINTET_CHECK(fields.positive("query_pre_attn_scalar", kMaxReal, scalar));
  config.attention_scale = 1 / std::sqrt(scalar);
  return {};
}

Status read_positions(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (!family.has_padding_offset) return {};
  uint64_t padding = 1;
  QUINTET_CHECK(fields.natural("pad_token_id", 0, kMaxTokens, padding));
  config.position_offset = padding + 1;
  return {};
}

// NTK-aware scaling (https://kexue.fm/archives/9706), with fixed factors, as in the models' own code.
Status read_ntk_rope(const ConfigFields& fields, EncoderConfig& config) {
  double factor = 1;
  QUINTET_CHECK(fields.positive("factor", kMaxReal, factor));
  config.rope_freq_base *= factor;
  config.rope_scaling = power(factor, 2 / static_cast<double>(config.head_dim));
  return {};
}

// "type" in older files, "rope_type" in newer ones. One object, or one for each kind of layers. The dynamic type scales
// only texts that are longer than `max_position_embeddings`, which are not read here.
Status read_rope_object(const ConfigFields& outer, std::string_view key, EncoderConfig& config, double& base) {
  const Json* object = outer.find(key);
  if (!object) return {};
  if (!object->as_object()) return outer.wrong(Reason::malformed, key, "expected an object");
  const ConfigFields fields(*object, formatted("config.json: {}", key), ConfigFields::Nulls::absent);
  std::string type = "default";
  QUINTET_CHECK(fields.check_fixed(encoder::kFixedInRope));
  QUINTET_CHECK(fields.text("type", type));
  QUINTET_CHECK(fields.text("rope_type", type));
  QUINTET_CHECK(fields.positive("rope_theta", kMaxReal, base));
  if (&base == &config.local_rope_freq_base) {
    if (type != "default") return fields.unsupported("rope_type", "supported is default");
  } else if (type == "ntk") {
    QUINTET_CHECK(read_ntk_rope(fields, config));
  } else if (type != "dynamic") {
    QUINTET_CHECK(read_rope_scaling_json(outer, key, fields, type, "dynamic", config));
  }
  if (config.has_local_rope()) {
    QUINTET_CHECK(read_rope_object(fields, "full_attention", config, base));
    QUINTET_CHECK(read_rope_object(fields, "sliding_attention", config, config.local_rope_freq_base));
  }
  return fields.check_all_known({"factor original_max_position_embeddings"});
}

Status read_rope(const ConfigFields& fields, EncoderConfig& config) {
  if (!config.is_rope) return {};
  for (const std::string_view key : {"rope_scaling", "rope_parameters"}) {
    QUINTET_CHECK(read_rope_object(fields, key, config, config.rope_freq_base));
  }
  if (config.yarn_rope && config.yarn_rope->original_max_seq_len == 0) {
    config.yarn_rope->original_max_seq_len = config.max_seq_len;
  }
  return {};
}

// Newer files have a list in place of the interval.
Status read_windows(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (family.window_key.empty()) return config.has_convolutions() ? Status() : fields.check_layers_alike();
  uint64_t interval = family.full_attention_interval;
  uint64_t window = family.has_window_radius ? config.sliding_window / 2 : config.sliding_window;
  QUINTET_CHECK(fields.natural(family.window_key, 2, kMaxPositions, window));
  config.sliding_window = family.has_window_radius ? 2 * window : window;
  QUINTET_CHECK(fields.natural(family.interval_key, 1, kMaxLayers, interval));
  config.full_attention_layers = every_nth_layer(interval, config.n_layers, family.has_full_attention_first);
  return read_listed_layers(fields, "layer_types", config.n_layers, R"("full_attention")", R"("sliding_attention")",
                            config.full_attention_layers);
}

// The heads of layers with a window, and of the others; and the width of the result.
Status read_layer_kinds(const ConfigFields& outer, EncoderConfig& config) {
  struct Kind {
    std::string_view name;
    uint64_t& head_dim;
    uint64_t& kv_heads;
    double& rope_freq_base;
  };
  QUINTET_CHECK(outer.natural("embedding_size", 1, kMaxWidth, config.output_width));
  config.local_head_dim = config.head_dim;
  config.local_kv_heads = config.n_kv_heads == 0 ? config.n_heads : config.n_kv_heads;
  const Json* kinds = outer.find("per_layer_config");
  if (!kinds) return {};
  for (const Kind& kind :
       {Kind{"full_attention", config.head_dim, config.n_kv_heads, config.rope_freq_base},
        Kind{"sliding_attention", config.local_head_dim, config.local_kv_heads, config.local_rope_freq_base}}) {
    const Json* object = kinds->find(kind.name);
    if (!object) continue;
    const ConfigFields fields(*object, formatted("config.json: per_layer_config {}", kind.name),
                              ConfigFields::Nulls::absent);
    QUINTET_CHECK(fields.natural("head_dim", 1, kMaxWidth, kind.head_dim));
    QUINTET_CHECK(fields.natural("num_key_value_heads", 1, kMaxHeads, kind.kv_heads));
    QUINTET_CHECK(fields.positive("rope_theta", kMaxReal, kind.rope_freq_base));
    QUINTET_CHECK(fields.check_all_known({}));
  }
  return {};
}

// Longer distances than that of the last bucket share it; -1 stands for the number of positions.
Status read_relative_distances(const ConfigFields& fields, EncoderConfig& config) {
  constexpr FixedField kAsPositions = {"max_relative_positions", "-1"};
  if (config.relative_buckets == 0) return {};
  config.relative_distances = config.max_seq_len;
  if (is_as_fixed(fields.find(kAsPositions.key), kAsPositions.values)) return {};
  return fields.natural(kAsPositions.key, 1, kMaxPositions, config.relative_distances);
}

// LFM2 may adjust the width of its MLP (transformers, modeling_lfm2.py, Lfm2MLP).
Status read_convolutions(const ConfigFields& fields, EncoderConfig& config) {
  bool is_adjusted = true;
  uint64_t multiple = 256;
  QUINTET_CHECK(read_convolution_layers(fields, config));
  QUINTET_CHECK(fields.positive("theta", kMaxReal, config.rope_freq_base));  // goes before rope_theta
  QUINTET_CHECK(fields.flag("block_auto_adjust_ff_dim", is_adjusted));
  QUINTET_CHECK(fields.natural("block_multiple_of", 1, kMaxWidth, multiple));
  if (is_adjusted) config.n_ff = (2 * config.n_ff / 3 + multiple - 1) / multiple * multiple;
  return {};
}

Status read_token_types(const ConfigFields& fields, EncoderConfig& config) {
  uint64_t types = 2;
  QUINTET_CHECK(fields.natural("type_vocab_size", 0, kMaxTokens, types));
  config.has_token_types = config.has_token_types && types != 0;
  return {};
}

}  // namespace

bool is_encoder_json(const Json& config) { return encoder::family_of_config(config) != nullptr; }

Result<EncoderConfig> read_encoder_config_json(const Json& json) {
  const ConfigFields fields(json, "config.json", ConfigFields::Nulls::absent);
  const Family* family = encoder::family_of_config(json);
  if (!family) return fields.unsupported("model_type", "supported are {}", encoder::supported_model_types());
  QUINTET_CHECK(fields.check_fixed(family->fixed));
  EncoderConfig config = config_of(*family);
  config.head_dim = family->head_dim;
  const transformer::TraitKeys keys = keys_of(*family, Format::safetensors);
  QUINTET_CHECK(read_traits(fields, keys, config));
  QUINTET_CHECK(read_positions(*family, fields, config));
  QUINTET_CHECK(read_attention_scale(*family, fields, config));
  if (family->has_layer_kinds) QUINTET_CHECK(read_layer_kinds(fields, config));
  if (config.has_convolutions()) QUINTET_CHECK(read_convolutions(fields, config));
  QUINTET_CHECK(complete_encoder_sizes(config, keys));
  config.has_norm_offset = family->has_norm_offset;
  QUINTET_CHECK(read_token_types(fields, config));
  QUINTET_CHECK(read_relative_distances(fields, config));
  QUINTET_CHECK(read_rope(fields, config));
  QUINTET_CHECK(read_windows(*family, fields, config));
  QUINTET_CHECK(read_direction(*family, fields, config));
  QUINTET_CHECK(fields.natural("projection_dim", 0, kMaxWidth, config.output_width));
  QUINTET_CHECK(fields.check_all_known({kWithoutInfluence, kOfHead, family->without_influence}));
  return config;
}

Status read_mlm_head_json(const Json& json, EncoderConfig& encoder) {
  const ConfigFields fields(json, "config.json", ConfigFields::Nulls::absent);
  bool is_tied = true;
  QUINTET_CHECK(fields.flag("tie_word_embeddings", is_tied));
  if (!is_tied) return fields.unsupported("tie_word_embeddings", "supported is true for a head for masked tokens");
  encoder.has_mlm_head = true;
  return {};
}

}  // namespace quintet
