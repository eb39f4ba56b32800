// The metadata of a GGUF file as an encoder's configuration (docs/formats/gguf.md, "Encoders").

#include <string>

#include "architectures/config_fields.h"
#include "architectures/encoder/families.h"
#include "architectures/transformer/convolution_layers.h"
#include "architectures/transformer/layer_sets.h"

namespace quintet {
namespace {

using encoder::Family;

// Rejects features that are computed differently here.
Status check_computed(const ConfigFields& fields, const EncoderConfig& config) {
  constexpr FixedField kFixed[] = {{"rope.scaling.type", R"("none")"}}, kDense[] = {{"expert_count", "0"}};
  QUINTET_CHECK(fields.check_fixed(kFixed));
  if (config.n_experts == 0) QUINTET_CHECK(fields.check_fixed(kDense));
  uint64_t rotated = config.head_dim;
  QUINTET_CHECK(fields.natural("rope.dimension_count", 1, kMaxWidth, rotated));
  if (rotated == config.head_dim) return {};
  return fields.unsupported("rope.dimension_count", "heads must be rotated as a whole");
}

Status check_head_sizes(const Family& family, const ConfigFields& fields, const EncoderConfig& config) {
  uint64_t value_width = config.head_dim;
  QUINTET_CHECK(fields.natural("attention.value_length", 1, kMaxWidth, value_width));
  if (value_width != config.head_dim) {
    return fields.unsupported("attention.value_length", "supported is that of keys");
  }
  const bool is_usual = config.n_kv_heads == config.n_heads && config.query_width() == config.n_embd;
  if (family.has_head_sizes || is_usual) return {};
  return fields.unsupported("attention.head_count_kv", "supported are heads of keys like those of queries");
}

Result<uint64_t> vocabulary_size(const ConfigFields& fields, const ModelDescription& description) {
  const TensorInfo* embedding = description.find_tensor("token_embd.weight");
  if (embedding && embedding->shape.size() == 2 && embedding->shape[0] != 0) return embedding->shape[0];
  uint64_t size = description.tokenizer.size();
  QUINTET_CHECK(fields.natural("vocab_size", 1, kMaxTokens, size));
  if (size == 0) return fields.wrong(Reason::missing, "vocab_size", "is missing, and so are the tokens");
  return size;
}

// A number, or for each layer whether it has a window.
Status read_sliding_window(const Family& family, const ConfigFields& fields, EncoderConfig& config) {
  if (family.window_key.empty()) return {};
  constexpr std::string_view kPattern = "attention.sliding_window_pattern";
  QUINTET_CHECK(fields.natural("attention.sliding_window", 2, kMaxPositions, config.sliding_window));
  const Json* pattern = fields.find(kPattern);
  if (pattern && pattern->as_array()) {
    return read_listed_layers(fields, kPattern, config.n_layers, "false", "true", config.full_attention_layers);
  }
  uint64_t interval = family.full_attention_interval;
  QUINTET_CHECK(fields.natural(kPattern, 1, kMaxLayers, interval));
  config.full_attention_layers = every_nth_layer(interval, config.n_layers, family.has_full_attention_first);
  return {};
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
  const transformer::TraitKeys keys = keys_of(*family, Format::gguf);
  QUINTET_CHECK(read_traits(fields, keys, config));
  if (config.has_convolutions()) QUINTET_CHECK(read_convolution_layers_gguf(fields, config));
  QUINTET_TRY(config.n_vocab, vocabulary_size(fields, description));
  if (config.n_vocab > kMaxTokens) return fields.wrong(Reason::limit, "vocab_size", "expected fewer tokens");
  QUINTET_CHECK(complete_encoder_sizes(config, keys));
  QUINTET_CHECK(check_head_sizes(*family, fields, config));
  QUINTET_CHECK(read_sliding_window(*family, fields, config));
  config.has_token_types = description.find_tensor("token_types.weight") != nullptr;
  QUINTET_CHECK(check_computed(fields, config));
  QUINTET_CHECK(fields.check_all_known({kWithoutInfluenceInGguf}));
  return config;
}

}  // namespace quintet
