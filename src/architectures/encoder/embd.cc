// The encoder of a .weights file: its metadata, or the shapes of a flat file (docs/formats/weights.md).

#include "architectures/encoder/config.h"
#include "base/decimal.h"

#include <algorithm>
#include <array>
#include <string>

#include "architectures/encoder/families.h"
#include "architectures/encoder/tensor_check.h"
#include "architectures/encoder/tensor_names.h"
#include "formats/embd/encoder_sizes.h"

namespace quintet {
namespace {

using transformer::TraitKeys;

// In the order in which the metadata has them.
constexpr std::array kSizes = {&EncoderConfig::n_vocab, &EncoderConfig::n_layers, &EncoderConfig::n_heads,
                               &EncoderConfig::n_embd,  &EncoderConfig::n_ff,     &EncoderConfig::max_seq_len};

Result<uint64_t> metadata_number(const Json& metadata, std::string_view key) {
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
  return number;
}

Result<const TensorInfo*> find_matrix(const std::vector<TensorInfo>& tensors, std::string_view name) {
  const auto info = std::ranges::find(tensors, name, &TensorInfo::name);
  if (info != tensors.end() && info->shape.size() == 2) return &*info;
  return missing_tensor(name, "a matrix that determines the sizes of the model is missing");
}

size_t count_layers(const std::vector<TensorInfo>& tensors) {
  size_t layers = 0;
  for (const TensorInfo& info : tensors) {
    if (const auto layer = embd::layer_of(info.name)) layers = std::max(layers, size_t{*layer} + 1);
  }
  return layers;
}

Status check_heads_told(const EncoderConfig& config, size_t told) {
  if (told == 0 || told == config.n_heads) return {};
  return input_error(Reason::mismatch, "attentionHeads {}, but the file says {}", told, config.n_heads);
}

Result<EncoderConfig> read_checked(const ModelDescription& description, size_t heads) {
  QUINTET_TRY(const EncoderConfig config, is_flat(description) ? read_flat_encoder_config(description.tensors, heads)
                                                               : read_encoder_metadata(description.metadata));
  QUINTET_CHECK(check_encoder_tensors(config, encoder::TensorNames(description, config), description.tensors));
  QUINTET_CHECK(check_heads_told(config, heads));
  return config;
}

}  // namespace

Result<EncoderConfig> read_encoder_metadata(const Json& metadata) {
  EncoderConfig config = encoder::bert_config();
  const TraitKeys keys = TraitKeys::of_encoders(Format::embd);
  for (const auto size : kSizes) {
    QUINTET_TRY(config.*size, metadata_number(metadata, keys[size]));
  }
  QUINTET_CHECK(complete_encoder_sizes(config, keys));
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
  EncoderConfig config = encoder::bert_config();
  config.n_vocab = words->shape[0];
  config.n_embd = words->shape[1];
  config.n_layers = count_layers(tensors);
  config.n_heads = heads == 0 ? std::max<uint64_t>(config.n_embd / kDefaultHeadDim, 1) : heads;
  config.n_ff = intermediate->shape[0];
  config.max_seq_len = positions->shape[0];
  if (heads == 0 && config.n_embd % config.n_heads != 0) {
    return input_error(Reason::missing,
                       "the file does not say how many attention heads there are: add metadata num_attention_heads");
  }
  QUINTET_CHECK(complete_encoder_sizes(config, TraitKeys::of_encoders(Format::embd)));
  return config;
}

Result<EncoderConfig> read_embd_encoder(const ModelDescription& description, size_t heads) {
  Result<EncoderConfig> config = read_checked(description, heads);
  if (!config && config.error().code == Code::format && !config.error().offset) {
    config.error().offset = description.file_size.value_or(0);  // what is missing is reported at the end of the file
  }
  return config;
}

Json embd_sizes(const EncoderConfig& config) {
  const TraitKeys keys = TraitKeys::of_encoders(Format::embd);
  Json sizes = Json::object();
  for (const auto size : kSizes) sizes.append(keys[size], config.*size);
  return sizes;
}

Json embd_metadata(const EncoderConfig& config, std::string_view model_name) {
  Json metadata = Json::object();
  metadata.append("model_name", model_name);
  metadata.append("model_version", "1.0.0");
  metadata.append("embedding_dim", write_natural(config.n_embd));
  const Json sizes = embd_sizes(config);
  for (const auto& [key, size] : *sizes.as_object()) metadata.append(key, write_natural(*size.as_uint()));
  // A current time would make two conversions differ. Callers can pass one.
  metadata.append("created_at", "1970-01-01T00:00:00Z");
  return metadata;
}

}  // namespace quintet
