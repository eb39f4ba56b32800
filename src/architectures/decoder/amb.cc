// An AMB config (docs/formats/amb.md, "Config") as a decoder's, and back.

#include <string>
#include <utility>

#include "architectures/decoder/delta.h"
#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"
#include "architectures/decoder/layer_sizes.h"
#include "architectures/decoder/mamba.h"
#include "architectures/transformer/traits.h"

namespace quintet {
namespace {

using transformer::InAmb;
using transformer::Trait;

// Values of the key `rope_type`.
constexpr std::string_view kLinear = "linear", kLlama3 = "llama3", kLongRope = "longrope", kYarn = "yarn";

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

constexpr XieluKeys kXieluKeys = {
    .positive = "xielu_alpha_p", .negative = "xielu_alpha_n", .beta = "xielu_beta", .eps = "xielu_eps"};

// Without these lists, the parameters are in tensors.
Status read_xielu(const DecoderFields& fields, DecoderConfig& config) {
  if (!config.has_xielu || !fields.find(kXieluKeys.positive)) return {};
  return fields.xielu(kXieluKeys, config.n_layers, config.xielu);
}

void append_xielu(Json& json, const DecoderConfig& config) {
  if (config.xielu.empty()) return;
  const auto append = [&](std::string_view key, double Xielu::* value) {
    Json list = Json::array();
    for (const Xielu& layer : config.xielu) list.push_back(layer.*value);
    json.append(key, std::move(list));
  };
  append(kXieluKeys.positive, &Xielu::positive);
  append(kXieluKeys.negative, &Xielu::negative);
  append(kXieluKeys.beta, &Xielu::beta);
  append(kXieluKeys.eps, &Xielu::eps);
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
    return fail(Code::format, Reason::malformed, "config: not an object");
  }
  DecoderConfig config;
  if (!fields.find("architecture")) return fields.wrong(Reason::missing, "architecture", "is missing");
  QUINTET_CHECK(fields.text("architecture", config.architecture));
  // Other names are specific to a writer; the tensors then determine the kind of model.
  decoder::apply_architecture(config);
  QUINTET_CHECK(read_rope_type(fields, config));
  QUINTET_CHECK(fields.read(transformer::TraitKeys::of_decoders(Format::amb), config));
  QUINTET_CHECK(read_xielu(fields, config));
  if (config.convolution_layers.empty()) {
    config.convolution_length = 0;
  } else if (!config.has_convolutions()) {
    return fields.wrong(Reason::missing, "convolution_length", "is missing");
  }
  QUINTET_CHECK(decoder::check_amb_mamba(fields, config));
  QUINTET_CHECK(decoder::check_amb_delta_net(fields, config));
  QUINTET_CHECK(decoder::complete_layer_sizes(fields, config));
  return config;
}

Json amb_config(const DecoderConfig& config) {
  Json json = Json::object();
  json.append("architecture", config.architecture);
  const auto append = [&](bool is_common) {
    for (const Trait& trait : transformer::traits()) {
      if (is_common != (trait.in_amb != InAmb::if_other)) continue;
      if (trait.in_amb != InAmb::always && !trait.is_set(config)) continue;
      json.append(trait.amb, trait.value(config));
    }
  };
  append(true);
  append_rope_type(json, config);
  append(false);
  append_xielu(json, config);
  return json;
}

}  // namespace quintet
