// An AMB config (docs/formats/amb.md, "Metadata and config") as a decoder's, and back.

#include <algorithm>
#include <iterator>
#include <string>

#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"
#include "architectures/decoder/layer_sets.h"

namespace quintet {
namespace {

// Values of the key `qk_norm`, in the order of QkNorm.
constexpr std::string_view kQkNorms[] = {"none", "per_head", "per_row"};
// Values of the key `rope_type`.
constexpr std::string_view kLinear = "linear", kLlama3 = "llama3", kLongRope = "longrope", kYarn = "yarn";

Status read_qk_norm(const DecoderFields& fields, DecoderConfig& config) {
  std::string name(kQkNorms[static_cast<size_t>(config.qk_norm)]);
  QUINTET_CHECK(fields.text("qk_norm", name));
  const auto* known = std::ranges::find(kQkNorms, name);
  if (known == std::end(kQkNorms)) return fields.unsupported("qk_norm", "supported are none, per_head and per_row");
  config.qk_norm = static_cast<QkNorm>(known - std::begin(kQkNorms));
  return {};
}

Status read_long_rope(const DecoderFields& fields, LongRope& rope) {
  QUINTET_CHECK(fields.positives("rope_short_factors", rope.short_factors));
  QUINTET_CHECK(fields.positives("rope_long_factors", rope.long_factors));
  QUINTET_CHECK(fields.positive("rope_attention_factor", kMaxReal, rope.attention_factor));
  if (!fields.find("rope_original_max_seq_len")) {
    return fields.wrong(Reason::missing, "rope_original_max_seq_len", "is missing");
  }
  return fields.natural("rope_original_max_seq_len", 1, kMaxPositions, rope.original_max_seq_len);
}

Json list_of(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(number);
  return list;
}

void append_rope_type(Json& json, const DecoderConfig& config) {
  if (config.llama3_rope) {
    json.append("rope_type", kLlama3);
    json.append("rope_factor", config.llama3_rope->factor);
    json.append("rope_low_freq_factor", config.llama3_rope->low_freq_factor);
    json.append("rope_high_freq_factor", config.llama3_rope->high_freq_factor);
    json.append("rope_original_max_seq_len", config.llama3_rope->original_max_seq_len);
  }
  if (config.long_rope) {
    const LongRope& rope = *config.long_rope;
    json.append("rope_type", kLongRope);
    if (!rope.short_factors.empty()) json.append("rope_short_factors", list_of(rope.short_factors));
    if (!rope.long_factors.empty()) json.append("rope_long_factors", list_of(rope.long_factors));
    json.append("rope_attention_factor", rope.attention_factor);
    json.append("rope_original_max_seq_len", rope.original_max_seq_len);
  }
  if (config.yarn_rope) {
    json.append("rope_type", kYarn);
    json.append("rope_factor", config.yarn_rope->factor);
    json.append("rope_beta_fast", config.yarn_rope->beta_fast);
    json.append("rope_beta_slow", config.yarn_rope->beta_slow);
    json.append("rope_attention_factor", config.yarn_rope->attention_factor);
    json.append("rope_original_max_seq_len", config.yarn_rope->original_max_seq_len);
  }
}

// Numbers that are only written if they differ from those of a Llama.
struct Variation {
  std::string_view name;
  double DecoderConfig::* value;
};
constexpr Variation kVariations[] = {
    {"local_rope_freq_base", &DecoderConfig::local_rope_freq_base},
    {"embedding_scale", &DecoderConfig::embedding_scale},
    {"residual_scale", &DecoderConfig::residual_scale},
    {"attention_scale", &DecoderConfig::attention_scale},
    {"logit_scale", &DecoderConfig::logit_scale},
    {"attention_softcap", &DecoderConfig::attention_softcap},
    {"logit_softcap", &DecoderConfig::logit_softcap},
    {"attention_temperature", &DecoderConfig::attention_temperature},
};

void append_variations(Json& json, const DecoderConfig& config) {
  const DecoderConfig llama;
  for (const Variation& variation : kVariations) {
    const double value = config.*variation.value;
    if (value != llama.*variation.value) json.append(std::string(variation.name), value);
  }
  const Json full = decoder::layer_numbers(config.full_attention_layers);
  if (!full.as_array()->empty()) json.append("full_attention_layers", full);
  const Json no_rope = decoder::layer_numbers(config.no_rope_layers);
  if (!no_rope.as_array()->empty()) json.append("no_rope_layers", no_rope);
  const Json convolutions = decoder::layer_numbers(config.convolution_layers);
  if (!convolutions.as_array()->empty()) {
    json.append("convolution_layers", convolutions);
    json.append("convolution_length", config.convolution_length);
  }
  if (config.attention_temperature != 0) {
    json.append("attention_temperature_length", config.attention_temperature_length);
  }
  if (config.has_norm_offset) json.append("norm_offset", true);
}

Status read_rope_type(const DecoderFields& fields, DecoderConfig& config) {
  std::string type(kLinear);
  QUINTET_CHECK(fields.text("rope_type", type));
  if (type == kLinear) return {};
  if (type == kLongRope) return read_long_rope(fields, config.long_rope.emplace());
  if (type == kYarn) {
    return fields.yarn_rope({.factor = "rope_factor",
                             .beta_fast = "rope_beta_fast",
                             .beta_slow = "rope_beta_slow",
                             .original_max_seq_len = "rope_original_max_seq_len",
                             .attention_factor = "rope_attention_factor"},
                            config.yarn_rope.emplace());
  }
  if (type != kLlama3) return fields.unsupported("rope_type", "supported are linear, llama3, longrope and yarn");
  return fields.llama3_rope({.factor = "rope_factor",
                             .low_freq_factor = "rope_low_freq_factor",
                             .high_freq_factor = "rope_high_freq_factor",
                             .original_max_seq_len = "rope_original_max_seq_len"},
                            config.llama3_rope.emplace());
}

}  // namespace

Result<DecoderConfig> read_amb_config(const Json& json) {
  const DecoderFields fields(json, "config", DecoderFields::Nulls::refused);
  if (!json.as_object()) {
    return fail({.code = Code::format, .reason = Reason::malformed, .detail = "config: not an object"});
  }
  DecoderConfig config;
  if (!fields.find("architecture")) return fields.wrong(Reason::missing, "architecture", "is missing");
  QUINTET_CHECK(fields.text("architecture", config.architecture));
  // Other names are specific to a writer; the tensors then determine the kind of model.
  if (const auto* family = decoder::family_of_model_type(config.architecture)) config.qk_norm = family->qk_norm;
  QUINTET_CHECK(fields.flag("is_rope", config.is_rope));
  QUINTET_CHECK(read_qk_norm(fields, config));
  QUINTET_CHECK(read_rope_type(fields, config));
  QUINTET_CHECK(fields.read(decoder_keys(Format::amb), config));
  QUINTET_CHECK(fields.flag("norm_offset", config.has_norm_offset));
  QUINTET_CHECK(
      decoder::read_layer_numbers(fields, "full_attention_layers", config.n_layers, config.full_attention_layers));
  QUINTET_CHECK(decoder::read_layer_numbers(fields, "no_rope_layers", config.n_layers, config.no_rope_layers));
  QUINTET_CHECK(decoder::read_layer_numbers(fields, "convolution_layers", config.n_layers, config.convolution_layers));
  if (config.convolution_layers.empty()) return config;
  if (!fields.find("convolution_length")) return fields.wrong(Reason::missing, "convolution_length", "is missing");
  QUINTET_CHECK(fields.natural("convolution_length", 1, kMaxKernel, config.convolution_length));
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
  if (config.qk_norm != QkNorm::none) json.append("qk_norm", kQkNorms[static_cast<size_t>(config.qk_norm)]);
  append_rope_type(json, config);
  append_variations(json, config);
  return json;
}

}  // namespace quintet
