#include "architectures/encoder/config.h"

#include <algorithm>
#include <string>

#include "architectures/encoder/parts.h"
#include "formats/weights/encoder_sizes.h"

namespace quintet {
namespace {

// config.json of a Hugging Face folder (transformers: BertConfig).

constexpr double kLayerNormEpsilon = 1e-12;

std::unexpected<Error> unsupported(std::string detail) {
  return unsupported_error("config.json: " + std::move(detail));
}

// An optional string setting that must have the one value that the encoder supports.
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
  if (decoder && decoder->as_bool() == true) return unsupported("is_decoder is true, only encoders are supported");
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

// A .weights file: its metadata, or the shapes of a flat file (docs/formats/weights.md).

Result<size_t> metadata_number(const Json& metadata, std::string_view key) {
  constexpr uint64_t kMax = INT32_MAX;
  const Json* value = metadata.find(key);
  const std::string* text = value == nullptr ? nullptr : value->as_string();
  uint64_t number = 0;
  for (const char digit : text == nullptr ? std::string_view() : *text) {
    const bool is_digit = digit >= '0' && digit <= '9';
    number = is_digit ? std::min(kMax + 1, number * 10 + static_cast<uint64_t>(digit - '0')) : kMax + 1;
  }
  if (number == 0 || number > kMax) {
    return format_error(Reason::malformed, 0, "metadata key " + std::string(key) + " is not a positive number");
  }
  return static_cast<size_t>(number);
}

Result<EncoderConfig> read_metadata(const Json& metadata) {
  EncoderConfig config;
  for (const EncoderKey& key : kEncoderKeys) {
    QUINTET_TRY(config.*key.size, metadata_number(metadata, key.embd));
  }
  return config;
}

Result<const TensorInfo*> find_matrix(const std::vector<TensorInfo>& tensors, std::string_view name) {
  const auto info = std::ranges::find(tensors, name, &TensorInfo::name);
  if (info != tensors.end() && info->shape.size() == 2) return &*info;
  return missing_tensor(std::string(name), "a matrix that determines the sizes of the model is missing");
}

size_t count_layers(const std::vector<TensorInfo>& tensors) {
  size_t layers = 0;
  for (const TensorInfo& info : tensors) {
    if (const auto layer = weights::layer_of(info.name)) layers = std::max(layers, size_t{*layer} + 1);
  }
  return layers;
}

Status check_heads(const EncoderConfig& config, size_t told) {
  if (told != 0 && told != config.heads) {
    return input_error(Reason::mismatch, "attentionHeads " + std::to_string(told) + ", but the file says " +
                                             std::to_string(config.heads));
  }
  if (config.hidden % config.heads == 0) return {};
  return input_error(
      Reason::out_of_range,
      std::to_string(config.heads) + " attention heads do not divide the hidden size " + std::to_string(config.hidden));
}

Result<EncoderConfig> read_checked(const ModelDescription& description, size_t heads) {
  QUINTET_TRY(const EncoderConfig config, is_flat(description) ? read_flat_encoder_config(description.tensors, heads)
                                                               : read_metadata(description.metadata));
  QUINTET_CHECK(check_encoder_tensors(config, description.tensors, &EncoderKey::embd));
  QUINTET_CHECK(check_heads(config, heads));
  return config;
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

bool is_flat(const ModelDescription& description) {
  return description.format == Format::weights && description.metadata.find("hidden_size") == nullptr;
}

Result<EncoderConfig> read_flat_encoder_config(const std::vector<TensorInfo>& tensors, size_t heads) {
  constexpr size_t kDefaultHeadDim = 32;  // as in MiniLM
  QUINTET_TRY(const TensorInfo* words, find_matrix(tensors, weights::kWordEmbeddings));
  QUINTET_TRY(const TensorInfo* positions, find_matrix(tensors, weights::kPositionEmbeddings));
  QUINTET_TRY(const TensorInfo* intermediate, find_matrix(tensors, weights::kFirstIntermediate));
  EncoderConfig config = {.vocab_size = static_cast<size_t>(words->shape[0]),
                          .hidden = static_cast<size_t>(words->shape[1]),
                          .layers = count_layers(tensors),
                          .heads = heads,
                          .intermediate = static_cast<size_t>(intermediate->shape[0]),
                          .max_positions = static_cast<size_t>(positions->shape[0])};
  if (heads != 0) return config;
  config.heads = std::max<size_t>(config.hidden / kDefaultHeadDim, 1);
  if (config.hidden % config.heads == 0) return config;
  return input_error(Reason::missing,
                     "the file does not say how many attention heads there are: add metadata num_attention_heads");
}

Result<EncoderConfig> read_embd_encoder(const ModelDescription& description, size_t heads) {
  Result<EncoderConfig> config = read_checked(description, heads);
  if (!config && config.error().code == Code::format && !config.error().offset) {
    config.error().offset = description.file_size.value_or(0);  // what is missing is reported at the end of the file
  }
  return config;
}

Json embd_metadata(const EncoderConfig& config, std::string_view model_name) {
  Json metadata = Json::object();
  metadata.append("model_name", model_name);
  metadata.append("model_version", "1.0.0");
  metadata.append("embedding_dim", std::to_string(config.hidden));
  for (const EncoderKey& key : kEncoderKeys) metadata.append(std::string(key.embd), std::to_string(config.*key.size));
  // A current time would make two conversions differ. Callers can pass one.
  metadata.append("created_at", "1970-01-01T00:00:00Z");
  return metadata;
}

}  // namespace quintet
