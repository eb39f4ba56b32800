// The metadata of a GGUF file as an encoder's configuration (docs/formats/gguf.md, "Encoders").

#include <string>

#include "architectures/config_fields.h"
#include "architectures/encoder/families.h"

namespace quintet {
namespace {

using encoder::Family;

// Rejects features that are computed differently here.
Status check_computed(const ConfigFields& fields, const EncoderConfig& config) {
  bool is_causal = false;
  QUINTET_CHECK(fields.flag("attention.causal", is_causal));
  if (is_causal) return fields.unsupported("attention.causal", "supported is false");
  uint64_t experts = 0;
  QUINTET_CHECK(fields.natural("expert_count", 0, UINT32_MAX, experts));
  if (experts != 0) return fields.unsupported("expert_count", "supported is 0: no mixtures of experts");
  std::string scaling = "none";
  QUINTET_CHECK(fields.text("rope.scaling.type", scaling));
  if (scaling != "none") return fields.unsupported("rope.scaling.type", "supported is none");
  uint64_t heads = config.heads;
  QUINTET_CHECK(fields.natural("attention.head_count_kv", 1, kMaxHeads, heads));
  if (heads != config.heads) return fields.unsupported("attention.head_count_kv", "supported is that of queries");
  uint64_t rotated = config.head_dim();
  QUINTET_CHECK(fields.natural("rope.dimension_count", 1, kMaxWidth, rotated));
  if (rotated == config.head_dim()) return {};
  return fields.unsupported("rope.dimension_count", "heads must be rotated as a whole");
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
  return check_encoder_sizes(config, kGgufEncoderKeys);
}

// The window is as wide as config.json's local_attention: half of it on either side.
Status read_window_pattern(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (family.local_attention == 0) return {};
  uint64_t width = family.local_attention, interval = family.full_attention_interval;
  QUINTET_CHECK(fields.natural("attention.sliding_window", 2, kMaxPositions, width));
  QUINTET_CHECK(fields.natural("attention.sliding_window_pattern", 1, kMaxLayers, interval));
  config.window = static_cast<size_t>(width / 2);
  config.full_attention_interval = static_cast<size_t>(interval);
  return fields.positive("rope.freq_base_swa", kMaxReal, config.local_rope_base);
}

}  // namespace

bool is_encoder_gguf(std::string_view architecture) { return encoder::family_of_gguf(architecture) != nullptr; }

// The converter has cut off the rows of position embeddings before the first token's.
Result<EncoderConfig> read_encoder_gguf(const ModelDescription& description) {
  const Family* family = encoder::family_of_gguf(description.architecture);
  if (!family) {
    return unsupported_error("architecture \"" + description.architecture + "\"; supported are " +
                             encoder::supported_gguf_architectures());
  }
  const Json json = gguf_fields(description.metadata, family->gguf);
  const ConfigFields fields(json, "metadata", ConfigFields::Nulls::refused);
  EncoderConfig config = structure_of(*family);
  QUINTET_CHECK(read_sizes(fields, description, config));
  double epsilon = static_cast<double>(config.layer_norm_epsilon);
  QUINTET_CHECK(fields.positive(kGgufEncoderKeys.layer_norm_epsilon, 1, epsilon));
  config.layer_norm_epsilon = static_cast<float>(epsilon);
  QUINTET_CHECK(fields.activation(kGgufEncoderKeys.activation, config.activation));
  if (config.rope_base != 0) QUINTET_CHECK(fields.positive("rope.freq_base", kMaxReal, config.rope_base));
  QUINTET_CHECK(read_window_pattern(*family, fields, config));
  config.has_token_types = description.find_tensor("token_types.weight") != nullptr;
  QUINTET_CHECK(check_computed(fields, config));
  return config;
}

}  // namespace quintet
