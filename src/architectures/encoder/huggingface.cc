// config.json of a Hugging Face encoder. Field names and defaults are those of transformers' configuration classes or,
// for models with code of their own, of that code.

#include <string>

#include "architectures/config_fields.h"
#include "architectures/encoder/families.h"
#include "base/flag_list.h"

namespace quintet {
namespace {

using encoder::Family;

// Read by read_ranking_head_json().
constexpr std::string_view kOfHead = "classifier_*";

Status check_fixed_fields(const Family& family, const ConfigFields& fields) {
  QUINTET_CHECK(fields.check_fixed(family.fixed));
  constexpr std::string_view kBothSides = "use_bidirectional_attention";
  const bool is_gemma = family.naming == encoder::Naming::gemma;
  return is_gemma && !fields.find(kBothSides) ? fields.unsupported(kBothSides, "is missing; supported is true")
                                              : Status();
}

// Two names for the same: that of Gemma, which others have taken over, and that of an attribute in transformers.
Status read_direction(const ConfigFields& fields, EncoderConfig& config) {
  if (!config.is_causal) return {};
  bool is_bidirectional = false;
  QUINTET_CHECK(fields.flag("is_causal", config.is_causal));
  QUINTET_CHECK(fields.flag("use_bidirectional_attention", is_bidirectional));
  config.is_causal = config.is_causal && !is_bidirectional;
  return {};
}

Status read_sizes(const EncoderKeys& keys, const ConfigFields& fields, EncoderConfig& config) {
  for (const EncoderSize& row : kEncoderSizes) {
    const std::string_view key = keys.*row.key;
    if (!fields.find(key)) return fields.wrong(Reason::missing, key, "is missing");
    uint64_t size = 0;
    QUINTET_CHECK(fields.natural(key, 1, kMaxTokens, size));
    config.*row.size = static_cast<size_t>(size);
  }
  return {};
}

Status read_epsilon(std::string_view key, const ConfigFields& fields, EncoderConfig& config) {
  double epsilon = static_cast<double>(config.layer_norm_epsilon);
  QUINTET_CHECK(fields.positive(key, 1, epsilon));
  config.layer_norm_epsilon = static_cast<float>(epsilon);
  return {};
}

Status read_heads(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (!family.embedding_key.empty()) {
    uint64_t embedding = config.hidden;
    QUINTET_CHECK(fields.natural(family.embedding_key, 1, kMaxWidth, embedding));
    config.embedding = static_cast<size_t>(embedding);
  }
  if (!family.has_head_sizes) return {};
  uint64_t key_value_heads = config.heads, width = family.head_width;
  QUINTET_CHECK(fields.natural("num_key_value_heads", 1, kMaxHeads, key_value_heads));
  QUINTET_CHECK(fields.natural("head_dim", 1, kMaxWidth, width));
  config.key_value_heads = static_cast<size_t>(key_value_heads);
  config.head_width = static_cast<size_t>(width);
  config.query_pre_attn_scalar = family.query_pre_attn_scalar;
  if (config.query_pre_attn_scalar == 0) return {};
  return fields.positive("query_pre_attn_scalar", kMaxReal, config.query_pre_attn_scalar);
}

Status read_positions(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (!family.has_padding_offset) return {};
  uint64_t padding = 1;
  QUINTET_CHECK(fields.natural("pad_token_id", 0, kMaxTokens, padding));
  config.position_offset = static_cast<size_t>(padding) + 1;
  return {};
}

// NTK-aware scaling (https://kexue.fm/archives/9706), with fixed factors, as the models' own code has it.
Status read_rope_scaling(const ConfigFields& outer, EncoderConfig& config) {
  const Json* scaling = outer.find("rope_scaling");
  if (!scaling) return {};
  const ConfigFields fields(*scaling, "config.json: rope_scaling", ConfigFields::Nulls::absent);
  std::string type;
  double factor = 1;
  QUINTET_CHECK(fields.text("type", type));
  QUINTET_CHECK(fields.positive("factor", kMaxReal, factor));
  if (type != "ntk") return outer.unsupported("rope_scaling", "supported is the type ntk");
  config.rope_base *= factor;
  config.rope_divisor = small_power(factor, 2 / static_cast<double>(config.head_dim()));
  return fields.check_all_known({});
}

// Newer files have the base under `rope_parameters`, there in an object for each kind of layer if there are several.
Status read_kind_of_rope(const ConfigFields& outer, std::string_view kind, double& base) {
  const Json* parameters = outer.find("rope_parameters");
  const Json* object = parameters && !kind.empty() ? parameters->find(kind) : parameters;
  if (!object) return {};
  const ConfigFields fields(*object, formatted("config.json: rope_parameters {}", kind), ConfigFields::Nulls::absent);
  std::string type = "default";
  QUINTET_CHECK(fields.text("rope_type", type));
  if (type != "default") return fields.unsupported("rope_type", "supported is default");
  QUINTET_CHECK(fields.positive("rope_theta", kMaxReal, base));
  return fields.check_all_known({"type sliding_attention full_attention"});
}

Status read_rope(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (family.rope_key.empty()) return {};
  QUINTET_CHECK(fields.positive(family.rope_key, kMaxReal, config.rope_base));
  if (config.local_rope_base == 0) {
    QUINTET_CHECK(read_kind_of_rope(fields, {}, config.rope_base));
    return read_rope_scaling(fields, config);
  }
  QUINTET_CHECK(fields.positive(family.local_rope_key, kMaxReal, config.local_rope_base));
  QUINTET_CHECK(read_kind_of_rope(fields, "full_attention", config.rope_base));
  return read_kind_of_rope(fields, "sliding_attention", config.local_rope_base);
}

// Newer files have a list in place of the interval.
Status read_layer_types(const ConfigFields& fields, EncoderConfig& config) {
  QUINTET_TRY(const Json::Array* types, fields.list("layer_types"));
  if (!types) return {};
  FlagList is_full;
  for (const Json& type : *types) {
    is_full.push_back(is_as_fixed(&type, R"("full_attention")"));
    if (!is_full.back() && !is_as_fixed(&type, R"("sliding_attention")")) {
      return fields.unsupported("layer_types", "supported are full_attention and sliding_attention");
    }
  }
  if (encoder::set_full_attention_layers(is_full, config)) return {};
  return fields.unsupported("layer_types", "supported is full_attention in the {} of every so many layers",
                            config.full_attention_is_last ? "last" : "first");
}

Status read_windows(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (family.window_key.empty()) return fields.check_layers_alike();
  uint64_t width = 2 * config.window, interval = config.full_attention_interval;
  QUINTET_CHECK(fields.natural(family.window_key, 2, kMaxPositions, width));
  QUINTET_CHECK(fields.natural(family.interval_key, 1, kMaxLayers, interval));
  config.window = static_cast<size_t>(width / 2);
  config.full_attention_interval = static_cast<size_t>(interval);
  return read_layer_types(fields, config);
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
  QUINTET_CHECK(check_fixed_fields(*family, fields));
  EncoderConfig config = config_of(*family);
  QUINTET_CHECK(read_sizes(family->keys, fields, config));
  QUINTET_CHECK(read_heads(*family, fields, config));
  QUINTET_CHECK(check_encoder_sizes(config, family->keys));
  config.has_norm_offset = family->has_norm_offset;
  QUINTET_CHECK(read_epsilon(family->keys.layer_norm_epsilon, fields, config));
  if (family->glu.empty()) QUINTET_CHECK(fields.activation(family->keys.activation, config.activation));
  QUINTET_CHECK(read_token_types(fields, config));
  QUINTET_CHECK(read_positions(*family, fields, config));
  QUINTET_CHECK(read_rope(*family, fields, config));
  QUINTET_CHECK(read_windows(*family, fields, config));
  QUINTET_CHECK(read_direction(fields, config));
  QUINTET_CHECK(fields.check_all_known({kWithoutInfluence, kOfHead, family->without_influence}));
  QUINTET_CHECK(check_encoder_sizes(config, family->keys));
  return config;
}

}  // namespace quintet
