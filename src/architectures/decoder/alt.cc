// The hyperparameters of an ALT file (docs/formats/alt.md) as a decoder's config, and back.

#include <string>
#include <string_view>

#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"
#include "architectures/transformer/traits.h"

namespace quintet {
namespace {

constexpr double kDefaultInitializerRange = 0.02;  // for training only, not used here

// The section has no field for it. A file without tensors still has a vocabulary.
uint64_t vocabulary_of(const ModelDescription& description) {
  const TensorInfo* embedding = description.find_tensor("model.embed_tokens.weight");
  return embedding && !embedding->shape.empty() ? embedding->shape[0] : description.tokenizer.size();
}

Status check_expressible(const DecoderConfig& config) {
  std::string_view lacks;
  for (const transformer::Trait& trait : transformer::traits()) {
    if (!trait.alt_lacks.empty() && trait.is_set(config)) lacks = trait.alt_lacks;
  }
  if (config.llama3_rope || config.long_rope || config.yarn_rope) lacks = "scaled rotary frequencies";
  if (config.block.norms != NormPlacement::before) lacks = "norms after the branches of a block";
  if (config.block.has_layer_norm) lacks = "LayerNorm";
  if (config.block.has_attention_gate) lacks = "gates of attention";
  if (config.rope_dim != config.head_dim) lacks = "heads that are only rotated in part";
  // Readers distinguish the two field orders by this (docs/formats/alt.md, "Parameters").
  if (config.head_dim * config.n_heads != config.n_embd) lacks = "heads whose total width is not that of the model";
  if (!lacks.empty()) return unsupported_error("ALT parameters cannot express {}", lacks);
  if (config.n_ff == 0 || !config.tie_embeddings) {
    return input_error(Reason::missing, "ALT parameters need the feed-forward width and whether embeddings are tied");
  }
  return {};
}

}  // namespace

Status infer_alt_vocabulary(DecoderConfig& config, const ModelDescription& description) {
  config.n_vocab = vocabulary_of(description);
  if (config.n_vocab != 0 && config.n_vocab <= kMaxTokens) return {};
  return fail(Code::format, Reason::limit, "a vocabulary of {} tokens", config.n_vocab);
}

Result<DecoderConfig> read_alt_parameters(const ModelDescription& description) {
  const DecoderFields fields(description.config, "parameters", DecoderFields::Nulls::refused);
  DecoderConfig config;
  config.architecture = description.architecture;
  decoder::apply_architecture(config);
  QUINTET_CHECK(infer_alt_vocabulary(config, description));
  QUINTET_CHECK(fields.read(transformer::TraitKeys::of_decoders(Format::alt), config));
  return config;
}

Result<Json> alt_parameters(const DecoderConfig& config) {
  QUINTET_CHECK(check_expressible(config));
  Json json = Json::object();
  json.append("hidden_act", name_of(config.activation));
  json.append("tie_word_embeddings", *config.tie_embeddings);
  json.append("hidden_size", config.n_embd);
  json.append("intermediate_size", config.n_ff);
  json.append("max_position_embeddings", config.max_seq_len);
  json.append("num_attention_heads", config.n_heads);
  json.append("num_hidden_layers", config.n_layers);
  json.append("num_key_value_heads", config.n_kv_heads);
  json.append("sliding_window", config.sliding_window);
  json.append("rope_theta", config.rope_freq_base);
  json.append("rms_norm_eps", config.norm_eps);
  json.append("initializer_range", kDefaultInitializerRange);
  json.append("head_size", config.head_dim);
  return json;
}

}  // namespace quintet
