#include "formats/gguf/config.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "formats/decoder_config.h"
#include "formats/decoder_fields.h"
#include "formats/pre_tokenizers.h"

namespace quintet::gguf {
namespace {

struct Family {
  std::string_view architecture;  // general.architecture, and what the keys begin with
  std::string_view model_type;    // what Hugging Face calls it
  std::string_view norm_eps;
  ActivationFunction activation;
};
constexpr Family kFamilies[] = {
    {"llama", "llama", "attention.layer_norm_rms_epsilon", ActivationFunction::silu},
    {"phi2", "phi", "attention.layer_norm_epsilon", ActivationFunction::gelu_new},
    {"phi3", "phi3", "attention.layer_norm_rms_epsilon", ActivationFunction::silu},
};

// Without n_vocab, which the tensors tell.
constexpr DecoderKeys kKeys = {.n_embd = "embedding_length",
                               .n_layers = "block_count",
                               .n_heads = "attention.head_count",
                               .n_kv_heads = "attention.head_count_kv",
                               .head_dim = "attention.key_length",
                               .n_ff = "feed_forward_length",
                               .max_seq_len = "context_length",
                               .rope_freq_base = "rope.freq_base",
                               .rope_dim = "rope.dimension_count",
                               .sliding_window = "attention.sliding_window"};

// The members that belong to the architecture, without its name.
Json fields_of(const Json& metadata, std::string_view architecture) {
  Json fields = Json::object();
  const std::string prefix = std::string(architecture) + ".";
  for (const Json::Member& member : *metadata.as_object()) {
    if (member.name.starts_with(prefix)) fields.append(member.name.substr(prefix.size()), member.value);
  }
  return fields;
}

// What no config of ours can say.
Status check_computed(const DecoderFields& fields, const DecoderConfig& config, const ModelDescription& description) {
  uint64_t experts = 0;
  QUINTET_CHECK(fields.natural("expert_count", 0, UINT32_MAX, experts));
  if (experts != 0) return fields.unsupported("expert_count", "mixtures of experts are not supported");
  uint64_t value_length = config.head_dim;
  QUINTET_CHECK(fields.natural("attention.value_length", 1, kMostWidth, value_length));
  if (value_length != config.head_dim) {
    return fields.unsupported("attention.value_length", "values as long as keys are supported");
  }
  // Its converter interleaves the rows of whole heads, which we can only undo for a rotation of whole heads.
  if (config.architecture == "llama" && config.rope_dim != config.head_dim) {
    return fields.unsupported("rope.dimension_count", "heads that are rotated as a whole are supported");
  }
  // One factor per frequency: llama3, longrope.
  for (const TensorInfo& info : description.tensors) {
    if (info.name.starts_with("rope_")) {
      return fail(in_tensor(unsupported_error("rotary frequencies with factors of their own").error(), info.name));
    }
  }
  return {};
}

Status read_scaling(const DecoderFields& fields, DecoderConfig& config) {
  std::string type = "linear";
  double attention = 1;
  QUINTET_CHECK(fields.text("rope.scaling.type", type));
  QUINTET_CHECK(fields.positive("rope.scaling.attn_factor", kMostReal, attention));
  if (type == "none") return {};
  if (type != "linear" || attention != 1) {
    return fields.unsupported("rope.scaling.type",
                              "only positions that are divided by a factor (linear) are supported");
  }
  QUINTET_CHECK(fields.positive("rope.scale_linear", kMostReal, config.rope_scaling));  // older files
  return fields.positive("rope.scaling.factor", kMostReal, config.rope_scaling);
}

Status read_vocabulary_size(const DecoderFields& fields, const ModelDescription& description, uint64_t& n_vocab) {
  const TensorInfo* embedding = description.find_tensor("model.embed_tokens.weight");
  if (embedding && embedding->shape.size() == 2) {
    n_vocab = embedding->shape[0];
  } else if (!description.tokenizer.tokens.empty()) {
    n_vocab = description.tokenizer.size();
  } else {
    QUINTET_CHECK(fields.natural("vocab_size", 1, kMostTokens, n_vocab));
  }
  if (n_vocab == 0) return fields.wrong(Reason::missing, "vocab_size", "is missing, and there are no tokens");
  return {};
}

Result<DecoderConfig> read_family(const Family& family, const DecoderFields& fields,
                                  const ModelDescription& description) {
  DecoderConfig config;
  config.architecture = family.model_type;
  config.activation = family.activation;
  QUINTET_CHECK(fields.read(kKeys, config));
  if (!fields.find(family.norm_eps)) return fields.wrong(Reason::missing, family.norm_eps, "is missing");
  QUINTET_CHECK(fields.positive(family.norm_eps, 1, config.norm_eps));
  QUINTET_CHECK(read_scaling(fields, config));
  QUINTET_CHECK(read_vocabulary_size(fields, description, config.n_vocab));
  QUINTET_CHECK(check_computed(fields, config, description));
  return config;
}

}  // namespace

Result<Json> model_config(const ModelDescription& description) {
  const auto* family = std::ranges::find(kFamilies, description.architecture, &Family::architecture);
  if (family == std::end(kFamilies)) {
    return unsupported_error("architecture \"" + description.architecture + "\"; supported are llama, phi2 and phi3");
  }
  const Json json = fields_of(description.metadata, family->architecture);
  QUINTET_TRY(const DecoderConfig config,
              read_family(*family, DecoderFields(json, "metadata", DecoderFields::Nulls::refused), description));
  QUINTET_CHECK(check_pre_tokenizer(description.tokenizer));
  return amb_config(config);
}

}  // namespace quintet::gguf
