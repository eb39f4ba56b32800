// The encoder of a .weights file: its metadata, or the shapes of a flat file (docs/formats/weights.md).

#include "architectures/encoder/config.h"

#include <algorithm>
#include <string>

#include "architectures/encoder/tensor_check.h"
#include "architectures/encoder/tensor_names.h"
#include "formats/embd/encoder_sizes.h"

namespace quintet {
namespace {

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
    return format_error(Reason::malformed, 0, "metadata key {} is not a positive number", key);
  }
  return static_cast<size_t>(number);
}

Result<const TensorInfo*> find_matrix(const std::vector<TensorInfo>& tensors, std::string_view name) {
  const auto info = std::ranges::find(tensors, name, &TensorInfo::name);
  if (info != tensors.end() && info->shape.size() == 2) return &*info;
  return missing_tensor(std::string(name), "a matrix that determines the sizes of the model is missing");
}

size_t count_layers(const std::vector<TensorInfo>& tensors) {
  size_t layers = 0;
  for (const TensorInfo& info : tensors) {
    if (const auto layer = embd::layer_of(info.name)) layers = std::max(layers, size_t{*layer} + 1);
  }
  return layers;
}

Status check_heads_told(const EncoderConfig& config, size_t told) {
  if (told == 0 || told == config.heads) return {};
  return input_error(Reason::mismatch, "attentionHeads {}, but the file says {}", told, config.heads);
}

Result<EncoderConfig> read_checked(const ModelDescription& description, size_t heads) {
  QUINTET_TRY(const EncoderConfig config, is_flat(description) ? read_flat_encoder_config(description.tensors, heads)
                                                               : read_encoder_metadata(description.metadata));
  QUINTET_CHECK(check_encoder_tensors(config, encoder::TensorNames(description, config), description.tensors));
  QUINTET_CHECK(check_heads_told(config, heads));
  QUINTET_CHECK(check_encoder_sizes(config, kEmbdKeys));
  return config;
}

}  // namespace

Result<EncoderConfig> read_encoder_metadata(const Json& metadata) {
  EncoderConfig config;
  for (const EncoderSize& row : kEncoderSizes) {
    QUINTET_TRY(config.*row.size, metadata_number(metadata, kEmbdKeys.*row.key));
  }
  return config;
}

bool is_flat(const ModelDescription& description) {
  return description.format == Format::embd && description.metadata.find("hidden_size") == nullptr;
}

Result<EncoderConfig> read_flat_encoder_config(const std::vector<TensorInfo>& tensors, size_t heads) {
  constexpr size_t kDefaultHeadDim = 32;  // as in MiniLM
  QUINTET_TRY(const TensorInfo* words, find_matrix(tensors, embd::kWordEmbeddings));
  QUINTET_TRY(const TensorInfo* positions, find_matrix(tensors, embd::kPositionEmbeddings));
  QUINTET_TRY(const TensorInfo* intermediate, find_matrix(tensors, embd::kFirstIntermediate));
  EncoderConfig config;
  config.vocab_size = static_cast<size_t>(words->shape[0]);
  config.hidden = static_cast<size_t>(words->shape[1]);
  config.layers = count_layers(tensors);
  config.heads = heads;
  config.intermediate = static_cast<size_t>(intermediate->shape[0]);
  config.max_positions = static_cast<size_t>(positions->shape[0]);
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
  for (const EncoderSize& row : kEncoderSizes) {
    metadata.append(kEmbdKeys.*row.key, std::to_string(config.*row.size));
  }
  // A current time would make two conversions differ. Callers can pass one.
  metadata.append("created_at", "1970-01-01T00:00:00Z");
  return metadata;
}

}  // namespace quintet
