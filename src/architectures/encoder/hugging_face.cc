// The encoder that config.json of a Hugging Face folder describes (transformers: BertConfig).

#include <string>

#include "architectures/encoder/config.h"

namespace quintet {
namespace {

constexpr double kLayerNormEpsilon = 1e-12;

std::unexpected<Error> unsupported(std::string detail) {
  return unsupported_error("config.json: " + std::move(detail));
}

// A setting of text that, where it is there, must have the one value that the encoder computes.
Status expect_text(const Json& config, std::string_view key, std::string_view expected) {
  const Json* value = config.find(key);
  if (!value || value->is_null()) return {};
  const std::string* text = value->as_string();
  if (text && *text == expected) return {};
  return unsupported(std::string(key) + " is " + write_json(*value) + ", only \"" + std::string(expected) +
                     "\" is supported");
}

Status check_architecture(const Json& config) {
  QUINTET_CHECK(expect_text(config, "model_type", "bert"));
  QUINTET_CHECK(expect_text(config, "hidden_act", "gelu"));
  QUINTET_CHECK(expect_text(config, "position_embedding_type", "absolute"));
  const Json* epsilon = config.find("layer_norm_eps");
  if (epsilon && epsilon->as_double() != kLayerNormEpsilon) {
    return unsupported("layer_norm_eps is " + write_json(*epsilon) + ", only 1e-12 is supported");
  }
  const Json* decoder = config.find("is_decoder");
  if (decoder && decoder->as_bool() == true) return unsupported("a decoder, only encoders are supported");
  return {};
}

Result<size_t> read_number(const Json& config, std::string_view key) {
  constexpr uint64_t kMax = INT32_MAX;
  const Json* value = config.find(key);
  const auto number = value ? value->as_uint() : std::nullopt;
  if (number && *number > 0 && *number <= kMax) return static_cast<size_t>(*number);
  return format_error(value ? Reason::malformed : Reason::missing, 0,
                      "config.json: " + std::string(key) + " is not a positive number");
}

}  // namespace

Result<EncoderConfig> read_encoder_config_json(const Json& json) {
  QUINTET_CHECK(check_architecture(json));
  EncoderConfig config;
  for (const EncoderKey& key : kEncoderKeys) {
    QUINTET_TRY(config.*key.size, read_number(json, key.hugging_face));
  }
  return config;
}

}  // namespace quintet
