// The metadata of a GGUF file as an encoder's configuration (docs/formats/gguf.md, "Encoders").

#include <string>

#include "architectures/config_fields.h"
#include "architectures/encoder/families.h"
#include "base/flag_list.h"

namespace quintet {
namespace {

using encoder::Family;

constexpr std::string_view kRmsEpsilon = "attention.layer_norm_rms_epsilon";

// Rejects features that are computed differently here.
Status check_computed(const ConfigFields& fields, const EncoderConfig& config) {
  if (config.is_causal && config.window != 0) {
    return fields.unsupported("attention.causal", "supported is false for a model with windows");
  }
  constexpr FixedField kFixed[] = {{"expert_count", "0"}, {"rope.scaling.type", R"("none")"}};
  QUINTET_CHECK(fields.check_fixed(kFixed));
  uint64_t rotated = config.head_dim();
  QUINTET_CHECK(fields.natural("rope.dimension_count", 1, kMaxWidth, rotated));
  if (rotated == config.head_dim()) return {};
  return fields.unsupported("rope.dimension_count", "heads must be rotated as a whole");
}

Status read_head_sizes(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  uint64_t key_value_heads = config.heads, width = config.hidden / config.heads;
  QUINTET_CHECK(fields.natural("attention.head_count_kv", 1, kMaxHeads, key_value_heads));
  QUINTET_CHECK(fields.natural("attention.key_length", 1, kMaxWidth, width));
  uint64_t value_width = width;
  QUINTET_CHECK(fields.natural("attention.value_length", 1, kMaxWidth, value_width));
  if (value_width != width) return fields.unsupported("attention.value_length", "supported is that of keys");
  if (!family.has_head_sizes) {
    if (key_value_heads == config.heads && width * config.heads == config.hidden) return {};
    return fields.unsupported("attention.head_count_kv", "supported are heads of keys like those of queries");
  }
  config.key_value_heads = static_cast<size_t>(key_value_heads);
  config.head_width = static_cast<size_t>(width);
  return {};
}

Result<uint64_t> vocabulary_size(const ConfigFields& fields, const ModelDescription& description) {
  const TensorInfo* embedding = description.find_tensor("token_embd.weight");
  if (embedding && embedding->shape.size() == 2 && embedding->shape[0] != 0) return embedding->shape[0];
  uint64_t size = description.tokenizer.size();
  QUINTET_CHECK(fields.natural("vocab_size", 1, kMaxTokens, size));
  if (size == 0) return fields.wrong(Reason::missing, "vocab_size", "is missing, and so are the tokens");
  return size;
}

Status read_sizes(const ConfigFields& fields, const ModelDescription& description, EncoderConfig& config) {
  for (const EncoderSize& row : kEncoderSizes) {
    if (row.size == &EncoderConfig::vocab_size) continue;
    const std::string_view key = kGgufEncoderKeys.*row.key;
    if (!fields.find(key)) return fields.wrong(Reason::missing, key, "is missing");
    uint64_t size = 0;
    QUINTET_CHECK(fields.natural(key, 1, kMaxTokens, size));
    config.*row.size = static_cast<size_t>(size);
  }
  QUINTET_TRY(const uint64_t tokens, vocabulary_size(fields, description));
  if (tokens > kMaxTokens) return fields.wrong(Reason::limit, "vocab_size", "expected fewer tokens");
  config.vocab_size = static_cast<size_t>(tokens);
  return {};
}

// A number, or for each layer whether it has a window.
Status read_window_pattern(const ConfigFields& fields, EncoderConfig& config) {
  constexpr std::string_view kPattern = "attention.sliding_window_pattern";
  const Json* pattern = fields.find(kPattern);
  if (!pattern || !pattern->as_array()) {
    uint64_t interval = config.full_attention_interval;
    QUINTET_CHECK(fields.natural(kPattern, 1, kMaxLayers, interval));
    config.full_attention_interval = static_cast<size_t>(interval);
    return {};
  }
  FlagList is_full;
  for (const Json& has_window : *pattern->as_array()) is_full.push_back(has_window.as_bool() == false);
  if (encoder::set_full_attention_layers(is_full, config)) return {};
  return fields.unsupported(kPattern, "supported is one layer without a window of every so many");
}

// The window is as wide as config.json's local_attention: half of it on either side.
Status read_sliding_window(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (family.window_key.empty()) return {};
  uint64_t width = 2 * config.window;
  QUINTET_CHECK(fields.natural("attention.sliding_window", 2, kMaxPositions, width));
  config.window = static_cast<size_t>(width / 2);
  QUINTET_CHECK(read_window_pattern(fields, config));
  return fields.positive("rope.freq_base_swa", kMaxReal, config.local_rope_base);
}

}  // namespace

bool is_encoder_gguf(std::string_view architecture) { return encoder::family_of_gguf(architecture) != nullptr; }

// The converter has cut off the rows of position embeddings before the first token's.
Result<EncoderConfig> read_encoder_gguf(const ModelDescription& description) {
  const Family* family = encoder::family_of_gguf(description.architecture);
  if (!family) {
    return unsupported_error("architecture \"{}\"; supported are {}", description.architecture,
                             encoder::supported_gguf_architectures());
  }
  const Json json = gguf_fields(description.metadata, family->gguf);
  const ConfigFields fields(json, "metadata", ConfigFields::Nulls::refused);
  EncoderConfig config = config_of(*family);
  QUINTET_CHECK(read_sizes(fields, description, config));
  QUINTET_CHECK(read_head_sizes(*family, fields, config));
  QUINTET_CHECK(check_encoder_sizes(config, kGgufEncoderKeys));
  double epsilon = static_cast<double>(config.layer_norm_epsilon);
  const std::string_view epsilon_key = config.has_rms_norm ? kRmsEpsilon : kGgufEncoderKeys.layer_norm_epsilon;
  QUINTET_CHECK(fields.positive(epsilon_key, 1, epsilon));
  config.layer_norm_epsilon = static_cast<float>(epsilon);
  QUINTET_CHECK(fields.activation(kGgufEncoderKeys.activation, config.activation));
  if (config.rope_base != 0) QUINTET_CHECK(fields.positive("rope.freq_base", kMaxReal, config.rope_base));
  QUINTET_CHECK(read_sliding_window(*family, fields, config));
  QUINTET_CHECK(fields.flag("attention.causal", config.is_causal));
  config.has_token_types = description.find_tensor("token_types.weight") != nullptr;
  QUINTET_CHECK(check_computed(fields, config));
  QUINTET_CHECK(fields.check_all_known({kWithoutInfluenceInGguf}));
  return config;
}

}  // namespace quintet
