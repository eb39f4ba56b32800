#include "formats/decoder_config.h"

#include <string>

#include "formats/decoder_fields.h"
#include "formats/gguf/config.h"

namespace quintet {
namespace {

constexpr DecoderKeys kAmbKeys = {.n_vocab = "n_vocab",
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
                                  .tie_embeddings = "tie_embeddings"};

}  // namespace

Result<DecoderConfig> read_amb_config(const Json& json) {
  const DecoderFields fields(json, "config", DecoderFields::Nulls::refused);
  if (!json.as_object()) {
    return fail({.code = Code::format, .reason = Reason::malformed, .detail = "config: no object"});
  }
  DecoderConfig config;
  if (!fields.find("architecture")) return fields.wrong(Reason::missing, "architecture", "is missing");
  QUINTET_CHECK(fields.text("architecture", config.architecture));
  QUINTET_CHECK(fields.flag("is_rope", config.is_rope));
  QUINTET_CHECK(fields.read(kAmbKeys, config));
  return config;
}

Json amb_config(const DecoderConfig& config) {
  Json json = Json::object();
  json.append("architecture", config.architecture);
  json.append("n_vocab", config.n_vocab);
  json.append("n_embd", config.n_embd);
  json.append("n_layers", config.n_layers);
  json.append("n_heads", config.n_heads);
  json.append("n_kv_heads", config.n_kv_heads);
  json.append("max_seq_len", config.max_seq_len);
  json.append("is_rope", config.is_rope);
  json.append("activation_fn", name_of(config.activation));
  json.append("rope_freq_base", config.rope_freq_base);
  json.append("rope_scaling", config.rope_scaling);
  if (config.n_ff != 0) json.append("n_ff", config.n_ff);
  json.append("head_dim", config.head_dim);
  json.append("norm_eps", config.norm_eps);
  json.append("rope_dim", config.rope_dim);
  json.append("sliding_window", config.sliding_window);
  if (config.tie_embeddings) json.append("tie_embeddings", *config.tie_embeddings);
  return json;
}

Result<DecoderConfig> decoder_config(const ModelDescription& description) {
  // The reader of GGUF leaves the config out where we would compute something else, and can tell why.
  if (description.format == Format::gguf && description.config.as_object()->empty()) {
    QUINTET_CHECK(gguf::model_config(description));
  }
  switch (description.format) {
    case Format::alt:
      return read_alt_parameters(description.config, description);
    case Format::amb:
    case Format::safetensors:
    case Format::gguf:
      return read_amb_config(description.config);
    case Format::weights:
    case Format::tinyruntime:
      break;
  }
  return input_error(Reason::mismatch,
                     "a file of format " + std::string(name_of(description.format)) + " holds no decoder");
}

}  // namespace quintet
