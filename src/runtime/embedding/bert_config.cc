#include "runtime/embedding/bert_config.h"

#include <algorithm>
#include <string>

#include "formats/bert_tensors.h"
#include "runtime/embedding/flat_metadata.h"

namespace quintet {
namespace {

constexpr std::string_view kHeads = "num_attention_heads";

Result<size_t> metadata_number(const Json& metadata, std::string_view key) {
  constexpr uint64_t kMost = INT32_MAX;
  const Json* value = metadata.find(key);
  const std::string* text = value == nullptr ? nullptr : value->as_string();
  uint64_t number = 0;
  for (const char digit : text == nullptr ? std::string_view() : *text) {
    const bool is_digit = digit >= '0' && digit <= '9';
    number = is_digit ? std::min(kMost + 1, number * 10 + static_cast<uint64_t>(digit - '0')) : kMost + 1;
  }
  if (number == 0 || number > kMost) {
    return format_error(Reason::malformed, 0, "metadata key " + std::string(key) + " is not a positive number");
  }
  return static_cast<size_t>(number);
}

Result<bert::Config> config_of(const Json& metadata) {
  bert::Config config;
  QUINTET_TRY(config.vocab_size, metadata_number(metadata, "vocab_size"));
  QUINTET_TRY(config.hidden, metadata_number(metadata, "hidden_size"));
  QUINTET_TRY(config.layers, metadata_number(metadata, "num_layers"));
  QUINTET_TRY(config.heads, metadata_number(metadata, kHeads));
  QUINTET_TRY(config.intermediate, metadata_number(metadata, "intermediate_size"));
  QUINTET_TRY(config.max_positions, metadata_number(metadata, "max_position_emb"));
  return config;
}

Result<bert::Config> config_of_flat(const ModelDescription& description, size_t attention_heads) {
  Json told = Json::object();
  if (attention_heads != 0) told.set(kHeads, std::to_string(attention_heads));
  QUINTET_TRY(Json metadata, flat_metadata(description, told));
  if (const Json* heads = told.find(kHeads)) metadata.set(kHeads, *heads);
  return config_of(metadata);
}

Status check_heads(const bert::Config& config, size_t attention_heads) {
  if (attention_heads != 0 && attention_heads != config.heads) {
    return input_error(Reason::mismatch, "attentionHeads " + std::to_string(attention_heads) + "; the file says " +
                                             std::to_string(config.heads));
  }
  if (config.hidden % config.heads == 0) return {};
  return input_error(
      Reason::out_of_range,
      std::to_string(config.heads) + " attention heads do not divide the hidden size " + std::to_string(config.hidden));
}

Result<bert::Config> checked_config(const ModelDescription& description, size_t attention_heads) {
  const bool flat = description.metadata.find("hidden_size") == nullptr;
  QUINTET_TRY(const bert::Config config,
              flat ? config_of_flat(description, attention_heads) : config_of(description.metadata));
  const BertShape shape = {.vocab_size = config.vocab_size,
                           .hidden = config.hidden,
                           .layers = config.layers,
                           .intermediate = config.intermediate,
                           .positions = config.max_positions};
  QUINTET_CHECK(check_bert_tensors(shape, description.tensors));
  QUINTET_CHECK(check_heads(config, attention_heads));
  return config;
}

}  // namespace

Result<bert::Config> bert_config(const ModelDescription& description, size_t attention_heads) {
  Result<bert::Config> config = checked_config(description, attention_heads);
  if (!config && config.error().code == Code::format && !config.error().offset) {
    config.error().offset = description.file_size.value_or(0);  // what is missing is missed at the end of the file
  }
  return config;
}

}  // namespace quintet
