// config.json of a Hugging Face decoder. Field names and defaults are those of transformers' configuration classes.

#include <array>
#include <string>

#include "formats/decoder_config.h"
#include "formats/decoder_fields.h"

namespace quintet {
namespace {

constexpr DecoderKeys kLlamaKeys = {.n_vocab = "vocab_size",
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
                                    .tie_embeddings = "tie_word_embeddings"};

// With what differs between the models. transformers leaves out of a config.json what is its class's default.
struct Family {
  std::string_view model_type;
  uint64_t max_seq_len;
  uint64_t sliding_window;  // where the file does not say; a null there means none
  double rotated_part;      // of a head
  double norm_eps;
  Activation activation;
  bool has_window;
  bool has_layer_norm;
};
constexpr std::array<Family, 4> kFamilies = {{
    {"llama", 2048, 0, 1, 1e-6, Activation::silu, false, false},
    {"mistral", 4096 * 32, 4096, 1, 1e-6, Activation::silu, true, false},
    {"phi", 2048, 0, 0.5, 1e-5, Activation::gelu_tanh, false, true},
    {"phi3", 4096, 0, 1, 1e-5, Activation::silu, true, false},
}};

DecoderKeys keys_of(const Family& family) {
  DecoderKeys keys = kLlamaKeys;
  if (family.has_window) keys.sliding_window = "sliding_window";
  if (family.has_layer_norm) keys.norm_eps = "layer_norm_eps";
  return keys;
}

DecoderConfig defaults_of(const Family& family, const Json& json) {
  DecoderConfig config;
  config.architecture = family.model_type;
  config.max_seq_len = family.max_seq_len;
  config.activation = family.activation;
  config.norm_eps = family.norm_eps;
  config.tie_embeddings = false;
  if (family.has_window && !json.find("sliding_window")) config.sliding_window = family.sliding_window;
  return config;
}

// Settings that change what is computed, and that no config of ours can say.
Status check_computed(const DecoderFields& fields) {
  bool normed = false;
  QUINTET_CHECK(fields.flag("qk_layernorm", normed));
  if (normed) return fields.unsupported("qk_layernorm", "normalized queries and keys are not supported");
  if (fields.find("quantization_config")) {
    return fields.unsupported("quantization_config", "only checkpoints that are not quantized are supported");
  }
  return {};
}

// How positions are stretched: "type" in older files, "rope_type" in newer ones.
Status read_scaling(const DecoderFields& outer, std::string_view key, DecoderConfig& config) {
  const Json* object = outer.find(key);
  if (!object) return {};
  if (!object->as_object()) return outer.wrong(Reason::malformed, key, "expected an object");
  const DecoderFields fields(*object, "config.json: " + std::string(key), DecoderFields::Nulls::absent);
  std::string type = "default";
  QUINTET_CHECK(fields.text("type", type));
  QUINTET_CHECK(fields.text("rope_type", type));
  QUINTET_CHECK(fields.positive("rope_theta", kMostReal, config.rope_freq_base));
  if (type == "default") return {};
  // longrope (also "su"), llama3, yarn and dynamic scale each frequency in its own way.
  if (type != "linear") {
    return outer.unsupported(key, "only positions that are divided by a factor (linear) are supported");
  }
  if (!fields.find("factor")) return fields.wrong(Reason::missing, "factor", "is missing");
  return fields.positive("factor", kMostReal, config.rope_scaling);
}

Status read_rotated_part(const DecoderFields& fields, double part, DecoderConfig& config) {
  if (const Json* newer = fields.find("rope_parameters")) {
    const DecoderFields inner(*newer, "config.json: rope_parameters", DecoderFields::Nulls::absent);
    QUINTET_CHECK(inner.positive("partial_rotary_factor", 1, part));
  }
  QUINTET_CHECK(fields.positive("partial_rotary_factor", 1, part));
  config.rope_dim = static_cast<uint64_t>(static_cast<double>(config.head_dim) * part);
  if (config.rope_dim != 0 && config.rope_dim % 2 == 0) return {};
  return fields.wrong(Reason::mismatch, "partial_rotary_factor",
                      "rotates " + std::to_string(config.rope_dim) + " dimensions of a head");
}

}  // namespace

Result<DecoderConfig> read_huggingface_config(const Json& json) {
  const DecoderFields fields(json, "config.json", DecoderFields::Nulls::absent);
  std::string model_type;
  QUINTET_CHECK(fields.text("model_type", model_type));
  for (const Family& family : kFamilies) {
    if (family.model_type != model_type) continue;
    QUINTET_CHECK(check_computed(fields));
    DecoderConfig config = defaults_of(family, json);
    QUINTET_CHECK(read_scaling(fields, "rope_scaling", config));
    QUINTET_CHECK(read_scaling(fields, "rope_parameters", config));
    QUINTET_CHECK(fields.read(keys_of(family), config));
    QUINTET_CHECK(read_rotated_part(fields, family.rotated_part, config));
    return config;
  }
  return fields.unsupported("model_type", "supported are bert, llama, mistral, phi and phi3");
}

}  // namespace quintet
