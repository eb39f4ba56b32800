#include "formats/huggingface/bert_config.h"

#include <string>

namespace quintet::huggingface {
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

Status copy_number(const Json& config, std::string_view key, std::string_view metadata_key, Json& metadata) {
  const Json* value = config.find(key);
  const auto number = value ? value->as_uint() : std::nullopt;
  if (!number) {
    return fail({.code = Code::format,
                 .reason = value ? Reason::malformed : Reason::missing,
                 .detail = "config.json: " + std::string(key) + " is no natural number",
                 .offset = 0});
  }
  metadata.append(std::string(metadata_key), std::to_string(*number));
  return {};
}

// "nreimers/MiniLM-L6-H384-uncased" -> "MiniLM-L6-H384-uncased".
std::string model_name(const Json& config) {
  const Json* path = config.find("_name_or_path");
  const std::string* text = path ? path->as_string() : nullptr;
  if (!text) return "bert";
  const std::string name = text->substr(text->find_last_of('/') + 1);
  return name.empty() ? "bert" : name;
}

}  // namespace

Result<Json> bert_metadata(const Json& config) {
  QUINTET_CHECK(check_architecture(config));
  Json metadata = Json::object();
  metadata.append("model_name", model_name(config));
  metadata.append("model_version", "1.0.0");
  QUINTET_CHECK(copy_number(config, "hidden_size", "embedding_dim", metadata));
  QUINTET_CHECK(copy_number(config, "vocab_size", "vocab_size", metadata));
  QUINTET_CHECK(copy_number(config, "num_hidden_layers", "num_layers", metadata));
  QUINTET_CHECK(copy_number(config, "num_attention_heads", "num_attention_heads", metadata));
  QUINTET_CHECK(copy_number(config, "hidden_size", "hidden_size", metadata));
  QUINTET_CHECK(copy_number(config, "intermediate_size", "intermediate_size", metadata));
  QUINTET_CHECK(copy_number(config, "max_position_embeddings", "max_position_emb", metadata));
  // The clock would make two conversions differ; who wants a time gives it.
  metadata.append("created_at", "1970-01-01T00:00:00Z");
  return metadata;
}

}  // namespace quintet::huggingface
