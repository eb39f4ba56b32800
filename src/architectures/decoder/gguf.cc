// The metadata of a GGUF file as a decoder's configuration (docs/formats/gguf.md, "Decoders").

#include <string>

#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"
#include "formats/pre_tokenizers.h"

namespace quintet {
namespace {

using decoder::Family;

// The fields of the architecture, without its prefix.
Json fields_of(const Json& metadata, std::string_view architecture) {
  Json fields = Json::object();
  const std::string prefix = std::string(architecture) + ".";
  for (const Json::Member& member : *metadata.as_object()) {
    if (member.name.starts_with(prefix)) fields.append(member.name.substr(prefix.size()), member.value);
  }
  return fields;
}

// Rejects features that are computed differently here.
Status check_computed(const Family& family, const DecoderFields& fields, const DecoderConfig& config,
                      const ModelDescription& description) {
  uint64_t experts = 0;
  QUINTET_CHECK(fields.natural("expert_count", 0, UINT32_MAX, experts));
  if (experts != 0) return fields.unsupported("expert_count", "supported is 0: no mixtures of experts");
  uint64_t value_length = config.head_dim;
  QUINTET_CHECK(fields.natural("attention.value_length", 1, kMaxWidth, value_length));
  if (value_length != config.head_dim) {
    return fields.unsupported("attention.value_length",
                              "values must be as long as keys: " + std::to_string(config.head_dim));
  }
  // Olmo 3 has the name of OLMo 2, and a window in three of four layers.
  if (family.form == decoder::BlockForm::post_norm && fields.find("attention.sliding_window")) {
    return fields.unsupported("attention.sliding_window", "a window in only some layers is not supported");
  }
  // The converter interleaves the rows of whole heads, which can only be undone if whole heads are rotated.
  if (family.interleaved && config.rope_dim != config.head_dim) {
    return fields.unsupported("rope.dimension_count",
                              "heads must be rotated as a whole: " + std::to_string(config.head_dim));
  }
  for (const TensorInfo& info : description.tensors) {
    if (!info.name.starts_with("rope_factors_")) continue;
    return tensor_error(
        Code::unsupported, Reason::unknown_value, info,
        "rotary factors that depend on the length (longrope) are not supported, only none, linear and llama3");
  }
  return {};
}

Status read_rope(const DecoderFields& fields, DecoderConfig& config) {
  std::string type = "linear";
  double attention = 1;
  QUINTET_CHECK(fields.text("rope.scaling.type", type));
  QUINTET_CHECK(fields.positive("rope.scaling.attn_factor", kMaxReal, attention));
  if (type == "none") return {};
  if (type != "linear" || attention != 1) {
    return fields.unsupported("rope.scaling.type", "supported are none and linear, without an attention factor");
  }
  QUINTET_CHECK(fields.positive("rope.scale_linear", kMaxReal, config.rope_scaling));  // older files
  return fields.positive("rope.scaling.factor", kMaxReal, config.rope_scaling);
}

Status read_vocabulary_size(const DecoderFields& fields, const ModelDescription& description, uint64_t& n_vocab) {
  const TensorInfo* embedding = description.find_tensor("token_embd.weight");
  if (embedding && embedding->shape.size() == 2) {
    n_vocab = embedding->shape[0];
  } else if (!description.tokenizer.tokens.empty()) {
    n_vocab = description.tokenizer.size();
  } else {
    QUINTET_CHECK(fields.natural("vocab_size", 1, kMaxTokens, n_vocab));
  }
  if (n_vocab == 0) return fields.wrong(Reason::missing, "vocab_size", "is missing, and so are the tokens");
  return {};
}

Result<DecoderConfig> read_family(const Family& family, const DecoderFields& fields,
                                  const ModelDescription& description) {
  DecoderConfig config;
  config.architecture = family.model_type;
  config.activation = family.activation;
  config.qk_norm = family.qk_norm;
  QUINTET_CHECK(fields.read(decoder_keys(Format::gguf), config));
  const std::string_view norm_eps =
      family.has_layer_norm ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon";
  if (!fields.find(norm_eps)) return fields.wrong(Reason::missing, norm_eps, "is missing");
  QUINTET_CHECK(fields.positive(norm_eps, 1, config.norm_eps));
  QUINTET_CHECK(read_rope(fields, config));
  QUINTET_CHECK(read_vocabulary_size(fields, description, config.n_vocab));
  QUINTET_CHECK(check_pre_tokenizer(description.tokenizer));
  QUINTET_CHECK(check_computed(family, fields, config, description));
  return config;
}

}  // namespace

Result<DecoderConfig> read_gguf_config(const ModelDescription& description) {
  const Family* family = decoder::family_of_gguf(description.architecture);
  if (!family) {
    return unsupported_error("architecture \"" + description.architecture + "\"; supported are " +
                             decoder::supported_gguf_architectures());
  }
  const Json json = fields_of(description.metadata, family->gguf);
  return read_family(*family, DecoderFields(json, "metadata", DecoderFields::Nulls::refused), description);
}

}  // namespace quintet
