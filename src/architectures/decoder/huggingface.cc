// config.json of a Hugging Face decoder. Field names and defaults are those of transformers' configuration classes.

#include <string>

#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"

namespace quintet {
namespace {

using decoder::Family;
using decoder::WindowRule;

DecoderKeys keys_of(const Family& family) {
  DecoderKeys keys = decoder_keys(Format::safetensors);
  if (family.has_layer_norm) keys.norm_eps = "layer_norm_eps";
  return keys;
}

// transformers leaves fields with the default of its class out of config.json.
DecoderConfig defaults_of(const Family& family) {
  DecoderConfig config;
  config.architecture = family.model_type;
  config.max_seq_len = family.max_seq_len;
  config.activation = family.activation;
  config.norm_eps = family.norm_eps;
  config.head_dim = family.head_dim;
  config.qk_norm = family.qk_norm;
  config.tie_embeddings = false;
  return config;
}

// Settings that change the computation and are not supported.
Status check_computed(const DecoderFields& fields) {
  bool normed = false;
  QUINTET_CHECK(fields.flag("qk_layernorm", normed));
  if (normed) return fields.unsupported("qk_layernorm", "only false is supported: no LayerNorm of queries and keys");
  if (fields.find("quantization_config")) {
    return fields.unsupported("quantization_config", "quantized checkpoints are not supported");
  }
  return {};
}

// Null means no window.
Status read_window(const Family& family, const Json& json, const DecoderFields& fields, DecoderConfig& config) {
  if (family.window == WindowRule::none) return {};
  if (family.window == WindowRule::if_used) {
    bool is_used = false;
    QUINTET_CHECK(fields.flag("use_sliding_window", is_used));
    if (!is_used) return {};
    // Only the layers from max_window_layers on would have it.
    return fields.unsupported("use_sliding_window", "only false is supported: a window in some layers is not");
  }
  if (!json.find("sliding_window")) config.sliding_window = family.sliding_window;
  return fields.natural("sliding_window", 0, kMaxPositions, config.sliding_window);
}

// Scaling of positions: "type" in older files, "rope_type" in newer ones.
Status read_rope(const DecoderFields& outer, std::string_view key, DecoderConfig& config) {
  const Json* object = outer.find(key);
  if (!object) return {};
  if (!object->as_object()) return outer.wrong(Reason::malformed, key, "expected an object");
  const DecoderFields fields(*object, "config.json: " + std::string(key), DecoderFields::Nulls::absent);
  std::string type = "default";
  QUINTET_CHECK(fields.text("type", type));
  QUINTET_CHECK(fields.text("rope_type", type));
  QUINTET_CHECK(fields.positive("rope_theta", kMaxReal, config.rope_freq_base));
  if (type == "default") return {};
  if (type == "linear") {
    if (!fields.find("factor")) return fields.wrong(Reason::missing, "factor", "is missing");
    return fields.positive("factor", kMaxReal, config.rope_scaling);
  }
  if (type == "llama3") {
    return fields.llama3_rope({.factor = "factor",
                               .low_freq_factor = "low_freq_factor",
                               .high_freq_factor = "high_freq_factor",
                               .original_max_seq_len = "original_max_position_embeddings"},
                              config.llama3_rope.emplace());
  }
  return outer.unsupported(key, "supported rope types are default, linear and llama3");
}

Status read_rotated_part(const DecoderFields& fields, double part, DecoderConfig& config) {
  if (const Json* newer = fields.find("rope_parameters")) {
    const DecoderFields inner(*newer, "config.json: rope_parameters", DecoderFields::Nulls::absent);
    QUINTET_CHECK(inner.positive("partial_rotary_factor", 1, part));
  }
  QUINTET_CHECK(fields.positive("partial_rotary_factor", 1, part));
  config.rope_dim = static_cast<uint64_t>(static_cast<double>(config.head_dim) * part);
  if (config.rope_dim != 0 && config.rope_dim % 2 == 0) return {};
  return fields.wrong(
      Reason::mismatch, "partial_rotary_factor",
      "rotates " + std::to_string(config.rope_dim) + " dimensions of a head, expected an even number above 0");
}

}  // namespace

Result<DecoderConfig> read_huggingface_config(const Json& json) {
  const DecoderFields fields(json, "config.json", DecoderFields::Nulls::absent);
  std::string model_type;
  QUINTET_CHECK(fields.text("model_type", model_type));
  const Family* family = decoder::family_of_model_type(model_type);
  if (!family) return fields.unsupported("model_type", "supported are bert, " + decoder::supported_model_types());
  QUINTET_CHECK(check_computed(fields));
  DecoderConfig config = defaults_of(*family);
  QUINTET_CHECK(read_window(*family, json, fields, config));
  QUINTET_CHECK(read_rope(fields, "rope_scaling", config));
  QUINTET_CHECK(read_rope(fields, "rope_parameters", config));
  QUINTET_CHECK(fields.read(keys_of(*family), config));
  QUINTET_CHECK(read_rotated_part(fields, family->rotated_part, config));
  return config;
}

}  // namespace quintet
