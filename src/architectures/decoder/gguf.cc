// The metadata of a GGUF file as a decoder's configuration (docs/formats/gguf.md, "Decoders").

#include <algorithm>
#include <cmath>
#include <string>

#include "architectures/decoder/delta.h"
#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"
#include "architectures/decoder/layer_sizes.h"
#include "architectures/decoder/mamba.h"
#include "architectures/transformer/convolution_layers.h"
#include "architectures/transformer/layer_sets.h"
#include "formats/pre_tokenizers.h"

namespace quintet {
namespace {

using decoder::Family;
using transformer::TraitKeys;

// Only used with some values of rope.scaling.type.
constexpr std::string_view kOfOtherRope = "rope.scaling.factor rope.scale_linear";

// The number of pairs of a head that turn by each of three coordinates of an image. In texts, the coordinates are
// equal.
constexpr std::string_view kOfImages = "rope.dimension_sections";

// Rejects features that are computed differently here.
Status check_computed(const Family& family, const DecoderFields& fields, const DecoderConfig& config) {
  constexpr FixedField kFixed[] = {
      {"attention.causal", "true"}, {"expert_group_count", "1"}, {"altup.active_idx", "0"}, {"altup.num_inputs", "4"}};
  constexpr FixedField kDense[] = {{"expert_count", "0"}};
  QUINTET_CHECK(fields.check_fixed(kFixed));
  if (!family.has_experts) QUINTET_CHECK(fields.check_fixed(kDense));
  uint64_t value_length = config.head_dim;
  QUINTET_CHECK(fields.natural("attention.value_length", 1, kMaxWidth, value_length));
  if (value_length != config.head_dim) {
    return fields.unsupported("attention.value_length", "values must be as long as keys: {}", config.head_dim);
  }
  uint64_t local_length = config.local_head_dim == 0 ? config.head_dim : config.local_head_dim;
  const uint64_t local_head_dim = local_length;
  QUINTET_CHECK(fields.natural("attention.value_length_swa", 1, kMaxWidth, local_length));
  if (local_length != local_head_dim) {
    return fields.unsupported("attention.value_length_swa", "values must be as long as keys: {}", local_head_dim);
  }
  // The converter interleaves the rows of whole heads, which can only be undone if whole heads are rotated.
  if (family.has_permuted_qk && !family.has_permuted_folder && config.rope_dim != config.head_dim) {
    return fields.unsupported("rope.dimension_count", "heads must be rotated as a whole: {}", config.head_dim);
  }
  return {};
}

// A file with factors for long contexts uses longrope, even if it declares another type of scaling.
bool has_long_rope(const ModelDescription& description) {
  return description.find_tensor("rope_factors_long.weight") || description.find_tensor("rope_factors_short.weight");
}

Status read_yarn(const DecoderFields& fields, double attention, YarnRope& rope) {
  constexpr std::string_view kExtrapolation = "rope.scaling.yarn_ext_factor";
  const Json* extrapolation = fields.find(kExtrapolation);
  if (extrapolation && extrapolation->as_double() != 1) return fields.unsupported(kExtrapolation, "supported is 1");
  constexpr std::string_view kAttention = "rope.scaling.yarn_attn_factor";
  QUINTET_CHECK(fields.yarn_rope({.factor = "rope.scaling.factor",
                                  .beta_fast = "rope.scaling.yarn_beta_fast",
                                  .beta_slow = "rope.scaling.yarn_beta_slow",
                                  .original_max_seq_len = "rope.scaling.original_context_length",
                                  .attention_factor = kAttention},
                                 rope));
  QUINTET_CHECK(fields.yarn_scales(
      {.attention_factor = kAttention, .mscale = {}, .mscale_all_dim = "rope.scaling.yarn_log_multiplier"}, rope));
  rope.attention_factor *= attention;
  return {};
}

Status read_rope(const DecoderFields& fields, const ModelDescription& description, DecoderConfig& config) {
  std::string type = "linear";
  double attention = 1;
  QUINTET_CHECK(fields.text("rope.scaling.type", type));
  QUINTET_CHECK(fields.positive("rope.scaling.attn_factor", kMaxReal, attention));
  constexpr std::string_view kOriginal = "rope.scaling.original_context_length";
  if (has_long_rope(description)) {
    LongRope& rope = config.long_rope.emplace();
    if (!fields.find(kOriginal)) return fields.wrong(Reason::missing, kOriginal, "is missing");
    rope.attention_factor = attention;
    return fields.natural(kOriginal, 1, kMaxPositions, rope.original_max_seq_len);
  }
  if (fields.find("attention.temperature_scale")) {
    QUINTET_CHECK(fields.natural(kOriginal, 1, kMaxPositions, config.attention_temperature_length));
  }
  if (type == "none") return {};
  if (type == "yarn") return read_yarn(fields, attention, config.yarn_rope.emplace());
  if (type != "linear" || attention != 1) {
    return fields.unsupported("rope.scaling.type",
                              "supported are none, linear, longrope and yarn; an attention factor for the last two");
  }
  QUINTET_CHECK(fields.positive("rope.scale_linear", kMaxReal, config.rope_scaling));  // older files
  return fields.positive("rope.scaling.factor", kMaxReal, config.rope_scaling);
}

// The pattern is the distance between layers without the window, or a flag for each layer: whether it has the window.
Status read_windows(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  constexpr std::string_view kPattern = "attention.sliding_window_pattern";
  uint64_t interval = family.full_attention_interval;
  const Json* pattern = fields.find(kPattern);
  if (pattern && pattern->as_array()) {
    return read_listed_layers(fields, kPattern, config.n_layers, "false", "true", config.full_attention_layers);
  }
  QUINTET_CHECK(fields.natural(kPattern, 1, kMaxLayers, interval));
  config.full_attention_layers = every_nth_layer(interval, config.n_layers, family.has_full_attention_first);
  return {};
}

Status read_convolutions(const DecoderFields& fields, DecoderConfig& config) {
  constexpr std::string_view kLength = "shortconv.l_cache";
  QUINTET_CHECK(read_convolution_layers_gguf(fields, config));
  if (config.convolution_layers.empty()) return {};
  if (!fields.find(kLength)) return fields.wrong(Reason::missing, kLength, "is missing");
  return fields.natural(kLength, 1, kMaxKernel, config.convolution_length);
}

// Whether the number of heads of keys and values is said for each layer.
bool lists_kv_heads(const Family& family, const DecoderFields& fields) {
  const Json* counts = fields.find("attention.head_count_kv");
  const bool may_be_list = family.has_convolutions || family.mamba_layers != decoder::MambaLayers::none;
  return may_be_list && (family.has_convolutions || (counts && counts->as_array()));
}

// Traits that others read have no key here.
TraitKeys gguf_keys_of(const Family& family, const DecoderFields& fields) {
  constexpr std::string_view kSharedWidth = "expert_shared_feed_forward_length";
  TraitKeys keys = TraitKeys::of_decoders(Format::gguf);
  if (!family.has_experts) keys.remove_experts();
  if (lists_kv_heads(family, fields) || family.has_layer_kinds) keys[&DecoderConfig::n_kv_heads] = {};
  if (family.mamba_layers == decoder::MambaLayers::pattern) keys[&DecoderConfig::n_ff] = {};
  if (family.has_layer_kinds) keys[&DecoderConfig::n_ff] = {};
  if (!family.has_attention) keys[&DecoderConfig::n_heads] = keys[&DecoderConfig::n_ff] = {};
  if (!family.traits.has_parallel_residual) keys[&DecoderConfig::has_parallel_residual] = {};
  if (family.traits.block.has_mlp_beside_experts) {
    const Json* experts = fields.find("expert_count");
    const Json* shared = fields.find(kSharedWidth);
    keys[&DecoderConfig::shared_ff] = {};
    if (experts && shared && !is_off(*experts)) {
      keys[&DecoderConfig::expert_ff] = keys[&DecoderConfig::n_ff];
      keys[&DecoderConfig::n_ff] = kSharedWidth;
    }
  }
  return keys;
}

// The parameters of xIELU have no architecture before their keys: one of each for a layer, or the same for all.
Status read_xielu(const ModelDescription& description, DecoderConfig& config) {
  if (!config.has_xielu) return {};
  const DecoderFields fields(description.metadata, "metadata", DecoderFields::Nulls::refused);
  return fields.xielu(
      {.positive = "xielu.alpha_p", .negative = "xielu.alpha_n", .beta = "xielu.beta", .eps = "xielu.eps"},
      config.n_layers, config.xielu);
}

// Behavior that llama.cpp hard-codes for the family: GGUF has no key for it.
void apply_family(const Family& family, DecoderConfig& config) {
  const auto per_head = static_cast<double>(config.n_embd) / static_cast<double>(config.n_heads);
  if (family.layers_of_27b != 0 && config.n_layers == family.layers_of_27b) {
    config.attention_scale = 1 / std::sqrt(per_head);
  }
  if (family.has_scaled_embeddings) config.embedding_scale = std::sqrt(static_cast<double>(config.n_embd));
  config.no_rope_layers = every_nth_layer(family.no_rope_interval, config.n_layers);
  decoder::infer_rope_by_window(family, config);
  if (family.has_logit_factor) config.logit_scale = 1 / config.logit_scale;
}

// The numbers that differ between the kinds of layers. Without a window, a layer may have no tensor of values: they are
// the keys (llama.cpp, src/models/gemma4.cpp).
Status read_layer_kinds(const Family& family, const DecoderFields& fields, const ModelDescription& description,
                        DecoderConfig& config) {
  if (!family.has_layer_kinds) return {};
  QUINTET_CHECK(fields.natural("block_count", 1, kMaxLayers, config.n_layers));
  QUINTET_CHECK(read_windows(family, fields, config));
  QUINTET_CHECK(decoder::read_listed_sizes(fields, config));
  for (size_t layer = 0; layer < config.n_layers; ++layer) {
    if (config.window_of(layer) != 0 || !config.has_own_kv(layer)) continue;
    const std::string block = formatted("blk.{}", layer);
    config.has_keys_as_values =
        description.find_tensor(block + ".attn_k.weight") && !description.find_tensor(block + ".attn_v.weight");
    break;
  }
  return {};
}

// The converter has written the quantile of 95% for sparse layers, and minus infinity for others. For the variance,
// llama.cpp divides by one less than the width; a larger cutoff has the same effect.
Status read_sparse_layers(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (!family.traits.block.has_altup) return {};
  QUINTET_CHECK(decoder::read_sparse_layers(fields, "activation_sparsity_scale", config.sparse_cutoff, config));
  if (config.n_ff < 2) return {};
  const auto width = static_cast<double>(config.n_ff);
  config.sparse_cutoff *= std::sqrt(width / (width - 1));
  return {};
}

// Scores of experts by the router (llama.cpp, src/llama-graph.cpp): 1 softmax, 2 sigmoid, 3 softmax over the chosen
// experts, which is the first one normalized.
Status read_router(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (!family.has_experts) return {};
  constexpr uint64_t kSoftmax = 1, kSigmoid = 2, kChosenSoftmax = 3;
  uint64_t function = config.has_sigmoid_router ? kSigmoid : kSoftmax;
  QUINTET_CHECK(fields.natural("expert_gating_func", kSoftmax, kChosenSoftmax, function));
  config.has_sigmoid_router = function == kSigmoid;
  if (function == kChosenSoftmax) config.has_normalized_router = true;
  return {};
}

// Older files of MiniCPM leave its scales out, and readers disagree about what they were.
Status check_scales(const Family& family, const DecoderFields& fields) {
  if (!family.has_depth_scales) return {};
  for (const std::string_view key : {"embedding_scale", "residual_scale", "logit_scale"}) {
    if (!fields.find(key)) return fields.wrong(Reason::missing, key, "is missing");
  }
  return {};
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
  DecoderConfig config = {{family.traits}};
  config.architecture = family.model_type;
  config.has_norm_offset = false;  // the converter has added it
  if (lists_kv_heads(family, fields)) {
    config.n_kv_heads = decoder::greatest_of_layers(fields, "attention.head_count_kv");
  }
  QUINTET_CHECK(read_rope(fields, description, config));
  QUINTET_CHECK(check_scales(family, fields));
  QUINTET_CHECK(read_layer_kinds(family, fields, description, config));
  QUINTET_CHECK(fields.read(gguf_keys_of(family, fields), config));
  // llama.cpp reads it as whether Granite 4 rotates (src/models/granite-hybrid.cpp).
  if (family.traits.block.has_mlp_beside_experts) {
    QUINTET_CHECK(fields.flag("rope.scaling.finetuned", config.is_rope));
  }
  QUINTET_CHECK(read_router(family, fields, config));
  QUINTET_CHECK(read_sparse_layers(family, fields, config));
  QUINTET_CHECK(read_xielu(description, config));
  if (family.has_convolutions) QUINTET_CHECK(read_convolutions(fields, config));
  QUINTET_CHECK(decoder::read_gguf_mamba(family, fields, config));
  QUINTET_CHECK(decoder::read_gguf_delta_net(family, fields, config));
  const std::string_view norm_eps =
      family.traits.block.has_layer_norm ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon";
  if (!fields.find(norm_eps)) return fields.wrong(Reason::missing, norm_eps, "is missing");
  QUINTET_CHECK(fields.positive(norm_eps, 1, config.norm_eps));
  QUINTET_CHECK(read_windows(family, fields, config));
  apply_family(family, config);
  QUINTET_CHECK(read_vocabulary_size(fields, description, config.n_vocab));
  QUINTET_CHECK(check_pre_tokenizer(description.tokenizer));
  QUINTET_CHECK(decoder::complete_layer_sizes(fields, config));
  QUINTET_CHECK(check_computed(family, fields, config));
  QUINTET_CHECK(fields.check_all_known({kWithoutInfluenceInGguf, kOfOtherRope, kOfImages}));
  return config;
}

}  // namespace

Result<DecoderConfig> read_gguf_config(const ModelDescription& description) {
  const Family* family = decoder::family_of_gguf(description.architecture);
  if (!family) {
    return unsupported_error("architecture \"{}\"; supported are {}", description.architecture,
                             decoder::supported_gguf_architectures());
  }
  const Json json = gguf_fields(description.metadata, family->gguf);
  return read_family(*family, DecoderFields(json, "metadata", DecoderFields::Nulls::refused), description);
}

}  // namespace quintet
