#include "architectures/transformer/traits.h"

#include <algorithm>
#include <iterator>

#include "architectures/config_fields.h"
#include "architectures/transformer/layer_sets.h"

namespace quintet::transformer {
namespace {

using Config = TransformerConfig;

constexpr std::string_view kExperts = "mixtures of experts";
constexpr std::string_view kLayerKinds = "layers of different sizes, or that share keys and values";
constexpr std::string_view kScales = "scaled embeddings, branches, attention or logits";

// In ALT and GGUF the number of tokens follows from the tensors.
constexpr Trait kTraits[] = {
    {.member = &Config::n_vocab,
     .amb = "n_vocab",
     .huggingface = "vocab_size",
     .embd = "vocab_size",
     .min = 1,
     .max = kMaxTokens,
     .networks = Networks::all,
     .required_by = Networks::all,
     .in_amb = InAmb::always,
     .in_cache = InCache::fingerprint},
    {.member = &Config::n_embd,
     .amb = "n_embd",
     .alt = "hidden_size",
     .huggingface = "hidden_size",
     .gguf = "embedding_length",
     .embd = "hidden_size",
     .min = 1,
     .max = kMaxWidth,
     .networks = Networks::all,
     .required_by = Networks::all,
     .in_amb = InAmb::always,
     .in_cache = InCache::fingerprint},
    {.member = &Config::n_layers,
     .amb = "n_layers",
     .alt = "num_hidden_layers",
     .huggingface = "num_hidden_layers",
     .gguf = "block_count",
     .embd = "num_layers",
     .min = 1,
     .max = kMaxLayers,
     .networks = Networks::all,
     .required_by = Networks::all,
     .in_amb = InAmb::always,
     .in_cache = InCache::fingerprint},
    {.member = &Config::n_heads,
     .amb = "n_heads",
     .alt = "num_attention_heads",
     .huggingface = "num_attention_heads",
     .gguf = "attention.head_count",
     .embd = "num_attention_heads",
     .min = 1,
     .max = kMaxHeads,
     .networks = Networks::all,
     .required_by = Networks::all,
     .in_amb = InAmb::always,
     .in_cache = InCache::fingerprint},
    {.member = &Config::n_kv_heads,
     .amb = "n_kv_heads",
     .alt = "num_key_value_heads",
     .huggingface = "num_key_value_heads",
     .gguf = "attention.head_count_kv",
     .min = 1,
     .max = kMaxHeads,
     .networks = Networks::all,
     .in_amb = InAmb::always,
     .in_cache = InCache::fingerprint},
    {.member = &Config::max_seq_len,
     .amb = "max_seq_len",
     .alt = "max_position_embeddings",
     .huggingface = "max_position_embeddings",
     .gguf = "context_length",
     .embd = "max_position_emb",
     .min = 1,
     .max = kMaxPositions,
     .networks = Networks::all,
     .required_by = Networks::encoders,
     .in_amb = InAmb::always},
    {.member = &Config::is_rope,
     .amb = "is_rope",
     .in_amb = InAmb::always,
     .alt_lacks = "a model without rotary positions"},
    {.member = &Config::activation,
     .amb = "activation_fn",
     .alt = "hidden_act",
     .huggingface = "hidden_act",
     .networks = Networks::all,
     .in_amb = InAmb::always},
    {.member = &Config::rope_freq_base,
     .amb = "rope_freq_base",
     .alt = "rope_theta",
     .huggingface = "rope_theta",
     .gguf = "rope.freq_base",
     .max = kMaxReal,
     .networks = Networks::all,
     .in_amb = InAmb::always,
     .in_cache = InCache::fingerprint},
    {.member = &Config::rope_scaling,
     .amb = "rope_scaling",
     .max = kMaxReal,
     .in_amb = InAmb::always,
     .alt_lacks = "scaled rotary frequencies"},
    {.member = &Config::n_ff,
     .amb = "n_ff",
     .alt = "intermediate_size",
     .huggingface = "intermediate_size",
     .gguf = "feed_forward_length",
     .embd = "intermediate_size",
     .min = 1,
     .max = kMaxWidth,
     .networks = Networks::all,
     .required_by = Networks::encoders,
     .in_amb = InAmb::if_known},
    {.member = &Config::head_dim,
     .amb = "head_dim",
     .alt = "head_size",
     .huggingface = "head_dim",
     .gguf = "attention.key_length",
     .min = 1,
     .max = kMaxWidth,
     .networks = Networks::all,
     .in_amb = InAmb::always,
     .in_cache = InCache::fingerprint},
    {.member = &Config::norm_eps,
     .amb = "norm_eps",
     .alt = "rms_norm_eps",
     .huggingface = "rms_norm_eps",
     .max = 1,
     .networks = Networks::all,
     .in_amb = InAmb::always},
    {.member = &Config::rope_dim,
     .amb = "rope_dim",
     .gguf = "rope.dimension_count",
     .min = 1,
     .max = kMaxWidth,
     .in_amb = InAmb::always,
     .in_cache = InCache::fingerprint},
    {.member = &Config::sliding_window,
     .amb = "sliding_window",
     .alt = "sliding_window",
     .gguf = "attention.sliding_window",
     .max = kMaxPositions,
     .in_amb = InAmb::always,
     .in_cache = InCache::value},
    {.member = &Config::tie_embeddings,
     .amb = "tie_embeddings",
     .alt = "tie_word_embeddings",
     .huggingface = "tie_word_embeddings",
     .in_amb = InAmb::if_known},
    {.member = &Config::qk_norm,
     .amb = "qk_norm",
     .in_amb = InAmb::if_known,
     .alt_lacks = "normalized queries and keys"},
    {.member = &Config::local_rope_freq_base,
     .amb = "local_rope_freq_base",
     .huggingface = "rope_local_base_freq",
     .gguf = "rope.freq_base_swa",
     .max = kMaxReal,
     .networks = Networks::all,
     .alt_lacks = "scaled rotary frequencies"},
    {.member = &Config::embedding_scale,
     .amb = "embedding_scale",
     .huggingface = "embedding_multiplier",
     .gguf = "embedding_scale",
     .max = kMaxReal,
     .alt_lacks = kScales},
    {.member = &Config::residual_scale,
     .amb = "residual_scale",
     .huggingface = "residual_multiplier",
     .gguf = "residual_scale",
     .max = kMaxReal,
     .alt_lacks = kScales},
    {.member = &Config::attention_scale,
     .amb = "attention_scale",
     .huggingface = "attention_multiplier",
     .gguf = "attention.scale",
     .max = kMaxReal,
     .alt_lacks = kScales},
    {.member = &Config::logit_scale,
     .amb = "logit_scale",
     .huggingface = "logits_scaling",
     .gguf = "logit_scale",
     .max = kMaxReal,
     .alt_lacks = kScales},
    {.member = &Config::attention_softcap,
     .amb = "attention_softcap",
     .huggingface = "attn_logit_softcapping",
     .gguf = "attn_logit_softcapping",
     .max = kMaxReal,
     .alt_lacks = kScales},
    {.member = &Config::logit_softcap,
     .amb = "logit_softcap",
     .huggingface = "final_logit_softcapping",
     .gguf = "final_logit_softcapping",
     .max = kMaxReal,
     .alt_lacks = kScales},
    {.member = &Config::attention_temperature,
     .amb = "attention_temperature",
     .gguf = "attention.temperature_scale",
     .max = kMaxReal,
     .alt_lacks = kScales},
    {.member = &Config::full_attention_layers,
     .amb = "full_attention_layers",
     .in_cache = InCache::value,
     .alt_lacks = "a window in only some layers"},
    {.member = &Config::no_rope_layers, .amb = "no_rope_layers", .alt_lacks = "layers without rotary positions"},
    {.member = &Config::convolution_layers, .amb = "convolution_layers", .alt_lacks = "short convolutions"},
    {.member = &Config::convolution_length, .amb = "convolution_length", .min = 1, .max = kMaxKernel},
    {.member = &Config::attention_temperature_length,
     .amb = "attention_temperature_length",
     .gguf = "attention.temperature_length",
     .min = 1,
     .max = kMaxPositions},
    {.member = &Config::local_head_dim,
     .amb = "local_head_dim",
     .gguf = "attention.key_length_swa",
     .max = kMaxWidth,
     .alt_lacks = kLayerKinds},
    {.member = &Config::local_kv_heads, .amb = "local_kv_heads", .max = kMaxHeads, .alt_lacks = kLayerKinds},
    {.member = &Config::local_rope_dim,
     .amb = "local_rope_dim",
     .gguf = "rope.dimension_count_swa",
     .max = kMaxWidth,
     .alt_lacks = kLayerKinds},
    {.member = &Config::rope_rotated_pairs,
     .amb = "rope_rotated_pairs",
     .max = kMaxWidth,
     .in_cache = InCache::value,
     .alt_lacks = "heads that are only rotated in part"},
    {.member = &Config::has_keys_as_values, .amb = "keys_as_values", .alt_lacks = "keys that are also values"},
    {.member = &Config::n_shared_kv_layers,
     .amb = "n_shared_kv_layers",
     .huggingface = "num_kv_shared_layers",
     .gguf = "attention.shared_kv_layers",
     .max = kMaxLayers,
     .alt_lacks = kLayerKinds},
    {.member = &Config::shared_kv_ff, .amb = "shared_kv_ff", .max = kMaxWidth, .alt_lacks = kLayerKinds},
    {.member = &Config::layer_input_width,
     .amb = "layer_input_width",
     .huggingface = "hidden_size_per_layer_input",
     .gguf = "embedding_length_per_layer_input",
     .max = kMaxWidth,
     .alt_lacks = "embeddings for each layer"},
    {.member = &Config::layer_input_vocab,
     .amb = "layer_input_vocab",
     .huggingface = "vocab_size_per_layer_input",
     .max = kMaxTokens,
     .alt_lacks = "embeddings for each layer"},
    {.member = &Config::laurel_rank, .amb = "laurel_rank", .huggingface = "laurel_rank", .min = 1, .max = kMaxWidth},
    {.member = &Config::n_sparse_layers, .amb = "n_sparse_layers", .max = kMaxLayers, .alt_lacks = "sparse gates"},
    {.member = &Config::sparse_cutoff, .amb = "sparse_cutoff", .max = kMaxReal},
    {.member = &Config::has_norm_offset, .amb = "norm_offset", .alt_lacks = "norms that multiply by 1 + weight"},
    {.member = &Config::mamba_layers, .amb = "mamba_layers", .alt_lacks = "layers with Mamba-2"},
    {.member = &Config::mlp_layers, .amb = "mlp_layers", .alt_lacks = "layers with an MLP alone"},
    {.member = &Config::mamba_heads, .amb = "mamba_heads", .min = 1, .max = kMaxHeads},
    {.member = &Config::mamba_groups, .amb = "mamba_groups", .min = 1, .max = kMaxHeads},
    {.member = &Config::mamba_inner, .amb = "mamba_inner", .min = 1, .max = kMaxWidth},
    {.member = &Config::mamba_state, .amb = "mamba_state", .min = 1, .max = kMaxMambaState},
    {.member = &Config::mamba_kernel, .amb = "mamba_kernel", .min = 2, .max = kMaxKernel},
    {.member = &Config::has_log_mamba_rates, .amb = "log_mamba_rates"},
    {.member = &Config::mamba_gate_scale, .amb = "mamba_gate_scale", .max = kMaxReal},
    {.member = &Config::mamba_x_scale, .amb = "mamba_x_scale", .max = kMaxReal},
    {.member = &Config::mamba_b_scale, .amb = "mamba_b_scale", .max = kMaxReal},
    {.member = &Config::mamba_c_scale, .amb = "mamba_c_scale", .max = kMaxReal},
    {.member = &Config::mamba_time_scale, .amb = "mamba_time_scale", .max = kMaxReal},
    {.member = &Config::attention_output_scale, .amb = "attention_output_scale", .max = kMaxReal, .alt_lacks = kScales},
    {.member = &Config::mamba_output_scale, .amb = "mamba_output_scale", .max = kMaxReal},
    {.member = &Config::mlp_output_scale, .amb = "mlp_output_scale", .max = kMaxReal, .alt_lacks = kScales},
    {.member = &Config::mlp_gate_scale, .amb = "mlp_gate_scale", .max = kMaxReal, .alt_lacks = kScales},
    {.member = &Config::delta_layers, .amb = "delta_layers", .alt_lacks = "layers with a gated DeltaNet"},
    {.member = &Config::delta_key_heads, .amb = "delta_key_heads", .min = 1, .max = kMaxHeads},
    {.member = &Config::delta_value_heads, .amb = "delta_value_heads", .min = 1, .max = kMaxHeads},
    {.member = &Config::delta_key_dim, .amb = "delta_key_dim", .min = 1, .max = kMaxDeltaDim},
    {.member = &Config::delta_value_dim, .amb = "delta_value_dim", .min = 1, .max = kMaxDeltaDim},
    {.member = &Config::delta_kernel, .amb = "delta_kernel", .min = 2, .max = kMaxKernel},
    {.member = &Config::has_log_delta_rates, .amb = "log_delta_rates"},
    {.member = &Config::has_tiled_delta_heads, .amb = "tiled_delta_heads"},
    {.member = &Config::has_position_embeddings, .amb = "position_embeddings", .alt_lacks = "learned positions"},
    {.member = &Config::has_parallel_residual,
     .amb = "parallel_residual",
     .huggingface = "use_parallel_residual",
     .gguf = "use_parallel_residual",
     .alt_lacks = "attention and MLP side by side"},
    {.member = &Config::has_xielu, .amb = "xielu", .alt_lacks = "the activation xIELU"},
    {.member = &Config::embedding_width, .min = 1, .max = kMaxWidth, .networks = Networks::encoders},
    {.member = &Config::relative_buckets, .min = 4, .max = kMaxPositions, .networks = Networks::encoders},
    {.member = &Config::relative_distances, .min = 1, .max = kMaxPositions, .networks = Networks::encoders},
    {.member = &Config::is_causal, .gguf = "attention.causal", .networks = Networks::encoders},
    // Mixtures of experts; these rows stay together.
    {.member = &Config::n_experts,
     .amb = "n_experts",
     .huggingface = "num_experts",
     .gguf = "expert_count",
     .max = kMaxExperts,
     .alt_lacks = kExperts},
    {.member = &Config::n_experts_used,
     .amb = "n_experts_used",
     .huggingface = "num_experts_per_tok",
     .gguf = "expert_used_count",
     .max = kMaxExperts},
    {.member = &Config::expert_ff,
     .amb = "expert_ff",
     .huggingface = "moe_intermediate_size",
     .gguf = "expert_feed_forward_length",
     .max = kMaxWidth},
    {.member = &Config::shared_ff,
     .amb = "shared_ff",
     .huggingface = "shared_expert_intermediate_size",
     .gguf = "expert_shared_feed_forward_length",
     .max = kMaxWidth},
    {.member = &Config::n_dense_layers,
     .amb = "n_dense_layers",
     .huggingface = "num_dense_layers",
     .gguf = "leading_dense_block_count",
     .max = kMaxLayers},
    {.member = &Config::expert_interval, .min = 2, .max = kMaxLayers, .networks = Networks::encoders},
    {.member = &Config::router_scale,
     .amb = "router_scale",
     .huggingface = "routed_scaling_factor",
     .gguf = "expert_weights_scale",
     .max = kMaxReal},
    {.member = &Config::has_normalized_router,
     .amb = "normalized_router",
     .huggingface = "norm_topk_prob",
     .gguf = "expert_weights_norm"},
    {.member = &Config::has_sigmoid_router, .amb = "sigmoid_router"},
};

size_t row_of(const Member& member) {
  return static_cast<size_t>(std::ranges::find(kTraits, member, &Trait::member) - std::begin(kTraits));
}

bool includes(Networks set, Networks networks) { return set == Networks::all || set == networks; }

Json json_of(uint64_t value) { return value; }
Json json_of(double value) { return value; }
Json json_of(bool value) { return value; }
Json json_of(std::optional<bool> value) { return value.value_or(false); }
Json json_of(Activation value) { return name_of(value); }
Json json_of(QkNorm value) { return kQkNorms[static_cast<size_t>(value)]; }
Json json_of(const LayerSet& value) { return layer_numbers(value); }

}  // namespace

std::span<const Trait> traits() { return kTraits; }

std::string_view Trait::key(Format format) const {
  switch (format) {
    case Format::amb:
      return amb;
    case Format::alt:
      return alt;
    case Format::safetensors:
      return huggingface;
    case Format::gguf:
      return gguf;
    case Format::embd:
      return embd;
    case Format::tinyruntime:
      break;
  }
  return {};
}

bool Trait::is_set(const TransformerConfig& config) const {
  static const TransformerConfig kDefault;
  return std::visit([&](auto value) { return config.*value != kDefault.*value; }, member);
}

Json Trait::value(const TransformerConfig& config) const {
  return std::visit([&](auto value) { return json_of(config.*value); }, member);
}

TraitKeys::TraitKeys(Format format, Networks networks) : networks_(networks) {
  static_assert(std::size(kTraits) <= kMaxTraits);
  std::ranges::transform(kTraits, keys_.begin(), [=](const Trait& trait) {
    return includes(trait.networks, networks) ? trait.key(format) : std::string_view();
  });
}

bool TraitKeys::is_required(size_t row) const { return includes(kTraits[row].required_by, networks_); }

void TraitKeys::remove_experts() {
  for (size_t row = row_of(&Config::n_experts); row <= row_of(&Config::has_sigmoid_router); ++row) keys_[row] = {};
}

std::string_view& TraitKeys::operator[](const Member& member) { return keys_[row_of(member)]; }
std::string_view TraitKeys::operator[](const Member& member) const { return keys_[row_of(member)]; }

}  // namespace quintet::transformer
