#include "architectures/decoder/layer_parts.h"

#include <algorithm>
#include <charconv>

namespace quintet::decoder {
namespace {

constexpr uint32_t bit(Naming naming) { return 1U << static_cast<unsigned>(naming); }
constexpr uint32_t kLlama = bit(Naming::llama);
constexpr uint32_t kPhi3 = bit(Naming::phi3);
constexpr uint32_t kPhi2 = bit(Naming::phi2);
constexpr uint32_t kOlmo2 = bit(Naming::olmo2);
constexpr uint32_t kGemma2 = bit(Naming::gemma2);
constexpr uint32_t kLfm2 = bit(Naming::lfm2);
constexpr uint32_t kMoe = bit(Naming::moe);
constexpr uint32_t kGraniteMoe = bit(Naming::granite_moe);
constexpr uint32_t kGraniteHybrid = bit(Naming::granite_hybrid);
constexpr uint32_t kHunyuan = bit(Naming::hunyuan);
constexpr uint32_t kSeedOss = bit(Naming::seed_oss);
constexpr uint32_t kStarCoder2 = bit(Naming::starcoder2);
constexpr uint32_t kGlm4 = bit(Naming::glm4);
constexpr uint32_t kFalconH1 = bit(Naming::falcon_h1);
constexpr uint32_t kMamba = bit(Naming::mamba);
constexpr uint32_t kQwen35 = bit(Naming::qwen35);
// Those whose norms come first, and whose second one has the name of the norm after attention in Hugging Face's files.
constexpr uint32_t kPreNorm = kLlama | kPhi3 | kMoe | kGraniteMoe | kGraniteHybrid | kHunyuan | kStarCoder2 | kGlm4;
constexpr uint32_t kLlamas = kPreNorm | kOlmo2 | kGemma2 | kSeedOss | kFalconH1 | kQwen35;
constexpr uint32_t kWithQkNorm = kPhi2 | (kLlamas & ~kHunyuan);
constexpr uint32_t kGateAndUp = kLlama | kMoe | kOlmo2 | kGemma2 | kHunyuan | kSeedOss | kQwen35;  // as two matrices
constexpr uint32_t kGranites = kGraniteMoe | kGraniteHybrid;
constexpr uint32_t kBesideMamba = kGraniteHybrid | kFalconH1;
constexpr uint32_t kAll = kLlamas | kPhi2 | kLfm2;

// GGUF has one name for different parts; the family decides between them. Hugging Face's
// names are unambiguous (docs/formats/amb.md, "Weights") except for `post_attention_layernorm`: in most families it is
// the norm before the MLP, in those with norms after the branches the one after the attention.
constexpr PartRow kRows[] = {
    {Part::input_norm, "input_layernorm", "attn_norm", Extent::embd, Extent::none,
     kPreNorm | kSeedOss | kPhi2 | kGemma2 | kFalconH1 | kQwen35},
    {Part::input_norm, "norm", "attn_norm", Extent::embd, Extent::none, kMamba},
    {Part::mlp_norm, "pre_ff_layernorm", "ffn_norm", Extent::embd, Extent::none, kFalconH1},
    {Part::mlp_norm, "post_attention_layernorm", "ffn_norm", Extent::embd, Extent::none, kPreNorm},
    {Part::mlp_norm, "post_attention_layernorm", "post_attention_norm", Extent::embd, Extent::none, kSeedOss | kQwen35},
    {Part::mlp_norm, "pre_feedforward_layernorm", "ffn_norm", Extent::embd, Extent::none, kGemma2},
    {Part::post_attention_norm, "post_attention_layernorm", "post_attention_norm", Extent::embd, Extent::none,
     kOlmo2 | kGemma2},
    {Part::post_mlp_norm, "post_feedforward_layernorm", "post_ffw_norm", Extent::embd, Extent::none, kOlmo2 | kGemma2},
    {Part::post_attention_norm, "post_self_attn_layernorm", "post_attention_norm", Extent::embd, Extent::none, kGlm4},
    {Part::post_mlp_norm, "post_mlp_layernorm", "post_ffw_norm", Extent::embd, Extent::none, kGlm4},
    {Part::query_norm, "self_attn.query_layernorm", "attn_q_norm", Extent::query_norm, Extent::none, kHunyuan},
    {Part::key_norm, "self_attn.key_layernorm", "attn_k_norm", Extent::key_norm, Extent::none, kHunyuan},
    {Part::query_norm, "self_attn.q_norm", "attn_q_norm", Extent::query_norm, Extent::none, kWithQkNorm},
    {Part::key_norm, "self_attn.k_norm", "attn_k_norm", Extent::key_norm, Extent::none, kWithQkNorm},
    {Part::query, "self_attn.q_proj", "attn_q", Extent::queries, Extent::embd, kAll & ~kQwen35},
    {Part::query, "self_attn.q_proj", "attn_q", Extent::gated_queries, Extent::embd, kQwen35},
    {Part::key, "self_attn.k_proj", "attn_k", Extent::keys, Extent::embd, kAll},
    {Part::value, "self_attn.v_proj", "attn_v", Extent::keys, Extent::embd, kAll},
    {Part::qkv, "self_attn.qkv_proj", "attn_qkv", Extent::qkv, Extent::embd, kAll & ~kQwen35},
    {Part::query, "mixer.q_proj", "attn_q", Extent::queries, Extent::embd, kMamba},
    {Part::key, "mixer.k_proj", "attn_k", Extent::keys, Extent::embd, kMamba},
    {Part::value, "mixer.v_proj", "attn_v", Extent::keys, Extent::embd, kMamba},
    {Part::attention_output, "mixer.o_proj", "attn_output", Extent::embd, Extent::queries, kMamba},
    {Part::attention_output, "self_attn.o_proj", "attn_output", Extent::embd, Extent::queries, kLlamas},
    {Part::attention_output, "self_attn.dense", "attn_output", Extent::embd, Extent::queries, kPhi2},
    {Part::gate, "mlp.gate_proj", "ffn_gate", Extent::ff, Extent::embd, kGateAndUp},
    {Part::up, "mlp.up_proj", "ffn_up", Extent::ff, Extent::embd, kGateAndUp},
    {Part::gate_up, "mlp.gate_up_proj", "ffn_up", Extent::gate_and_up, Extent::embd, kPhi3 | kGlm4},
    {Part::gate_up, "shared_mlp.input_linear", "", Extent::gate_and_up, Extent::embd, kGraniteHybrid},
    {Part::gate, "shared_mlp.gate_linear", "ffn_gate", Extent::ff, Extent::embd, kGraniteHybrid},
    {Part::gate, "shared_mlp.gate_linear", "ffn_gate_shexp", Extent::ff, Extent::embd, kGraniteHybrid},
    {Part::up, "shared_mlp.up_linear", "ffn_up", Extent::ff, Extent::embd, kGraniteHybrid},
    {Part::up, "shared_mlp.up_linear", "ffn_up_shexp", Extent::ff, Extent::embd, kGraniteHybrid},
    {Part::gate, "feed_forward.gate_proj", "ffn_gate", Extent::ff, Extent::embd, kFalconH1},
    {Part::up, "feed_forward.up_proj", "ffn_up", Extent::ff, Extent::embd, kFalconH1},
    {Part::up, "mixer.up_proj", "ffn_up", Extent::ff, Extent::embd, kMamba},
    {Part::up, "mlp.c_fc", "ffn_up", Extent::ff, Extent::embd, kStarCoder2},
    {Part::up, "mlp.fc1", "ffn_up", Extent::ff, Extent::embd, kPhi2},
    {Part::down, "mlp.down_proj", "ffn_down", Extent::embd, Extent::ff, kGateAndUp | kPhi3 | kGlm4},
    {Part::down, "shared_mlp.output_linear", "ffn_down", Extent::embd, Extent::ff, kGraniteHybrid},
    {Part::down, "shared_mlp.output_linear", "ffn_down_shexp", Extent::embd, Extent::ff, kGraniteHybrid},
    {Part::down, "feed_forward.down_proj", "ffn_down", Extent::embd, Extent::ff, kFalconH1},
    {Part::down, "mixer.down_proj", "ffn_down", Extent::embd, Extent::ff, kMamba},
    {Part::down, "mlp.c_proj", "ffn_down", Extent::embd, Extent::ff, kStarCoder2},
    {Part::down, "mlp.fc2", "ffn_down", Extent::embd, Extent::ff, kPhi2},
    {Part::router, "mlp.gate", "ffn_gate_inp", Extent::experts, Extent::embd, kMoe},
    {Part::router, "block_sparse_moe.router.layer", "ffn_gate_inp", Extent::experts, Extent::embd, kGranites},
    {Part::router, "feed_forward.gate", "ffn_gate_inp", Extent::experts, Extent::embd, kLfm2},
    {Part::router_bias, "feed_forward.expert_bias", "exp_probs_b", Extent::experts, Extent::none, kLfm2},
    {Part::expert_gate, "mlp.experts.*.gate_proj", "ffn_gate_exps", Extent::expert_ff, Extent::embd, kMoe | kGranites},
    {Part::expert_up, "mlp.experts.*.up_proj", "ffn_up_exps", Extent::expert_ff, Extent::embd, kMoe | kGranites},
    {Part::expert_gate_up, "mlp.experts.*.gate_up_proj", "ffn_gate_up_exps", Extent::expert_gate_and_up, Extent::embd,
     kMoe | kGranites},
    {Part::expert_down, "mlp.experts.*.down_proj", "ffn_down_exps", Extent::embd, Extent::expert_ff, kMoe | kGranites},
    {Part::expert_gate_up, "block_sparse_moe.input_linear", "", Extent::expert_gate_and_up, Extent::embd, kGranites},
    {Part::expert_down, "block_sparse_moe.output_linear", "", Extent::embd, Extent::expert_ff, kGranites},
    {Part::expert_gate, "feed_forward.experts.*.w1", "ffn_gate_exps", Extent::expert_ff, Extent::embd, kLfm2},
    {Part::expert_up, "feed_forward.experts.*.w3", "ffn_up_exps", Extent::expert_ff, Extent::embd, kLfm2},
    {Part::expert_down, "feed_forward.experts.*.w2", "ffn_down_exps", Extent::embd, Extent::expert_ff, kLfm2},
    {Part::shared_gate, "mlp.shared_expert.gate_proj", "ffn_gate_shexp", Extent::shared_ff, Extent::embd, kMoe},
    {Part::shared_up, "mlp.shared_expert.up_proj", "ffn_up_shexp", Extent::shared_ff, Extent::embd, kMoe},
    {Part::shared_down, "mlp.shared_expert.down_proj", "ffn_down_shexp", Extent::embd, Extent::shared_ff, kMoe},
    {Part::shared_router, "mlp.shared_expert_gate", "ffn_gate_inp_shexp", Extent::one, Extent::embd, kMoe},
    {Part::shared_gate, "shared_mlp.gate_linear", "ffn_gate_shexp", Extent::shared_ff, Extent::embd, kGraniteMoe},
    {Part::shared_up, "shared_mlp.up_linear", "ffn_up_shexp", Extent::shared_ff, Extent::embd, kGraniteMoe},
    {Part::shared_gate_up, "shared_mlp.input_linear", "", Extent::shared_gate_and_up, Extent::embd, kGraniteMoe},
    {Part::shared_down, "shared_mlp.output_linear", "ffn_down_shexp", Extent::embd, Extent::shared_ff, kGraniteMoe},
    {Part::layer_input_gate, "per_layer_input_gate", "inp_gate", Extent::layer_input, Extent::embd, kGemma2},
    {Part::layer_input_projection, "per_layer_projection", "proj", Extent::embd, Extent::layer_input, kGemma2},
    {Part::layer_input_norm, "post_per_layer_input_norm", "post_norm", Extent::embd, Extent::none, kGemma2},
    {Part::layer_scale, "layer_scalar", "layer_output_scale", Extent::one, Extent::none, kGemma2},
    {Part::xielu_positive, "mlp.act_fn.alpha_p", "", Extent::one, Extent::none, kLlama},
    {Part::xielu_negative, "mlp.act_fn.alpha_n", "", Extent::one, Extent::none, kLlama},
    {Part::xielu_beta, "mlp.act_fn.beta", "", Extent::one, Extent::none, kLlama},
    {Part::xielu_eps, "mlp.act_fn.eps", "", Extent::one, Extent::none, kLlama},
    {Part::input_norm, "operator_norm", "attn_norm", Extent::embd, Extent::none, kLfm2},
    {Part::mlp_norm, "ffn_norm", "ffn_norm", Extent::embd, Extent::none, kLfm2},
    {Part::query_norm, "self_attn.q_layernorm", "attn_q_norm", Extent::query_norm, Extent::none, kLfm2},
    {Part::key_norm, "self_attn.k_layernorm", "attn_k_norm", Extent::key_norm, Extent::none, kLfm2},
    {Part::attention_output, "self_attn.out_proj", "attn_output", Extent::embd, Extent::queries, kLfm2},
    {Part::gate, "feed_forward.w1", "ffn_gate", Extent::ff, Extent::embd, kLfm2},
    {Part::up, "feed_forward.w3", "ffn_up", Extent::ff, Extent::embd, kLfm2},
    {Part::down, "feed_forward.w2", "ffn_down", Extent::embd, Extent::ff, kLfm2},
    {Part::convolution_input, "conv.in_proj", "shortconv.in_proj", Extent::gated_values, Extent::embd, kLfm2},
    {Part::convolution_kernel, "conv.conv", "shortconv.conv", Extent::embd, Extent::kernel, kLfm2},
    {Part::convolution_output, "conv.out_proj", "shortconv.out_proj", Extent::embd, Extent::embd, kLfm2},
    {Part::mamba_input, "mamba.in_proj", "ssm_in", Extent::mamba_in, Extent::embd, kBesideMamba},
    {Part::mamba_convolution, "mamba.conv1d", "ssm_conv1d", Extent::mamba_channels, Extent::mamba_kernel, kBesideMamba},
    {Part::mamba_rates, "mamba.A_log", "ssm_a", Extent::mamba_heads, Extent::none, kBesideMamba},
    {Part::mamba_time_bias, "mamba.dt_bias", "ssm_dt.bias", Extent::mamba_heads, Extent::none, kBesideMamba},
    {Part::mamba_skip, "mamba.D", "ssm_d", Extent::mamba_heads, Extent::none, kBesideMamba},
    {Part::mamba_norm, "mamba.norm", "ssm_norm", Extent::mamba_inner, Extent::none, kBesideMamba},
    {Part::mamba_output, "mamba.out_proj", "ssm_out", Extent::embd, Extent::mamba_inner, kBesideMamba},
    {Part::mamba_input, "mixer.in_proj", "ssm_in", Extent::mamba_in, Extent::embd, kMamba},
    {Part::mamba_convolution, "mixer.conv1d", "ssm_conv1d", Extent::mamba_channels, Extent::mamba_kernel, kMamba},
    {Part::mamba_rates, "mixer.A_log", "ssm_a", Extent::mamba_heads, Extent::none, kMamba},
    {Part::mamba_time_bias, "mixer.dt_bias", "ssm_dt.bias", Extent::mamba_heads, Extent::none, kMamba},
    {Part::mamba_skip, "mixer.D", "ssm_d", Extent::mamba_heads, Extent::none, kMamba},
    {Part::mamba_norm, "mixer.norm", "ssm_norm", Extent::mamba_inner, Extent::none, kMamba},
    {Part::mamba_output, "mixer.out_proj", "ssm_out", Extent::embd, Extent::mamba_inner, kMamba},
    {Part::delta_input, "linear_attn.in_proj_qkv", "attn_qkv", Extent::delta_channels, Extent::embd, kQwen35},
    {Part::delta_gate, "linear_attn.in_proj_z", "attn_gate", Extent::delta_values, Extent::embd, kQwen35},
    {Part::delta_strength, "linear_attn.in_proj_b", "ssm_beta", Extent::delta_heads, Extent::embd, kQwen35},
    {Part::delta_time_step, "linear_attn.in_proj_a", "ssm_alpha", Extent::delta_heads, Extent::embd, kQwen35},
    {Part::delta_convolution, "linear_attn.conv1d", "ssm_conv1d", Extent::delta_channels, Extent::delta_kernel,
     kQwen35},
    {Part::delta_rates, "linear_attn.A_log", "ssm_a", Extent::delta_heads, Extent::none, kQwen35},
    {Part::delta_time_bias, "linear_attn.dt_bias", "ssm_dt.bias", Extent::delta_heads, Extent::none, kQwen35},
    {Part::delta_norm, "linear_attn.norm", "ssm_norm", Extent::delta_value, Extent::none, kQwen35},
    {Part::delta_output, "linear_attn.out_proj", "ssm_out", Extent::embd, Extent::delta_values, kQwen35},
    {Part::embeddings, "model.embeddings", "token_embd", Extent::vocab, Extent::embd, kMamba},
    {Part::final_norm, "model.norm_f", "output_norm", Extent::embd, Extent::none, kMamba},
    {Part::embeddings, "model.embed_tokens", "token_embd", Extent::vocab, Extent::embd, kAll},
    {Part::layer_embeddings, "model.embed_tokens_per_layer", "per_layer_token_embd", Extent::vocab,
     Extent::layer_inputs, kGemma2},
    {Part::layer_embeddings_projection, "model.per_layer_model_projection", "per_layer_model_proj",
     Extent::layer_inputs, Extent::embd, kGemma2},
    {Part::layer_embeddings_norm, "model.per_layer_projection_norm", "per_layer_proj_norm", Extent::layer_input,
     Extent::none, kGemma2},
    {Part::position_embeddings, "model.embed_positions", "position_embd", Extent::positions, Extent::embd, kAll},
    {Part::final_norm, "model.norm", "output_norm", Extent::embd, Extent::none, kLlamas & ~kFalconH1},
    {Part::final_norm, "model.final_layernorm", "output_norm", Extent::embd, Extent::none, kPhi2 | kFalconH1},
    {Part::final_norm, "model.embedding_norm", "token_embd_norm", Extent::embd, Extent::none, kLfm2},
    {Part::output, "lm_head", "output", Extent::vocab, Extent::embd, kAll | kMamba},
    {Part::rope_freq_factors, "rope_freqs", "rope_freqs", Extent::rope_pairs, Extent::none, kAll},
    {Part::rope_long_factors, "rope_factors_long", "rope_factors_long", Extent::rope_pairs, Extent::none, kAll},
    {Part::rope_short_factors, "rope_factors_short", "rope_factors_short", Extent::rope_pairs, Extent::none, kAll},
};

constexpr std::string_view kLayersPrefix = "model.layers.", kBlockPrefix = "blk.";
constexpr std::string_view kWeight = ".weight", kBias = ".bias";

// Without the prefix that the decoder has in a model of texts and images: `model.language_model.` in those of
// transformers 5, `language_model.` before. The `model.` of Mamba-2 is called `backbone.`.
std::string decoder_name(std::string_view name) {
  constexpr std::string_view kNewer = "model.language_model.", kOlder = "language_model.", kMambas = "backbone.";
  if (name.starts_with(kNewer)) return "model." + std::string(name.substr(kNewer.size()));
  if (name.starts_with(kMambas)) return "model." + std::string(name.substr(kMambas.size()));
  return std::string(name.substr(name.starts_with(kOlder) ? kOlder.size() : 0));
}

bool in_layer(const PartRow& row) { return static_cast<size_t>(row.part) < kLayerParts; }

// Removes "N." from the front; false unless it starts with a number below 2^32.
bool take_number(std::string_view& name, uint32_t& number) {
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const auto digits = static_cast<size_t>(end - name.data());
  if (error != std::errc() || digits == name.size() || name[digits] != '.') return false;
  name.remove_prefix(digits + 1);
  return true;
}

constexpr std::string_view kExpertNumber = "*.";

// Whether a row's name is this one, which may have the number of an expert.
bool is_named(std::string_view row, std::string_view name, std::optional<uint32_t>& expert) {
  const size_t at = row.find(kExpertNumber);
  if (at == std::string_view::npos) return !row.empty() && row == name;
  if (!name.starts_with(row.substr(0, at))) return false;
  name.remove_prefix(at);
  uint32_t number = 0;
  if (take_number(name, number)) expert = number;
  return row.substr(at + kExpertNumber.size()) == name;
}

// A tensor that is no module of its own, whose name has no suffix.
bool is_parameter_of_module(Part part) {
  return part == Part::router_bias || part == Part::layer_scale ||
         (part >= Part::xielu_positive && part <= Part::xielu_eps);
}

bool take_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

// A row's name with the number of the expert, if there is one, and what the tensor is of the module.
std::string name_in_layer(const Role& role, std::string_view row) {
  std::string name(row);
  const size_t at = name.find(kExpertNumber);
  if (at != std::string::npos) {
    name.replace(at, kExpertNumber.size(), role.expert ? std::to_string(*role.expert) + "." : std::string());
  }
  if (is_parameter(role.part())) return name;
  return name.append(role.is_bias ? kBias : kWeight);
}

uint64_t mamba_channels(const DecoderConfig& config) {
  return config.mamba_inner + 2 * config.mamba_groups * config.mamba_state;
}

}  // namespace

uint64_t size_of(Extent extent, const DecoderConfig& config, uint64_t layer_number) {
  const auto layer = static_cast<size_t>(layer_number);
  const uint64_t head_dim = config.head_dim_of(layer), ff = config.n_ff_of(layer);
  const uint64_t queries = config.n_heads * head_dim, keys = config.kv_heads_of(layer) * head_dim;
  const uint64_t values = config.delta_value_heads * config.delta_value_dim;
  switch (extent) {
    case Extent::none:
      return 0;
    case Extent::vocab:
      return config.n_vocab;
    case Extent::embd:
      return config.n_embd;
    case Extent::queries:
      return queries;
    case Extent::keys:
      return keys;
    case Extent::qkv:
      return queries + 2 * keys;
    case Extent::query_norm:
      return config.qk_norm == QkNorm::per_row ? queries : head_dim;
    case Extent::key_norm:
      return config.qk_norm == QkNorm::per_row ? keys : head_dim;
    case Extent::ff:
      return ff;
    case Extent::gate_and_up:
      return 2 * ff;
    case Extent::experts:
      return config.n_experts;
    case Extent::expert_ff:
      return config.expert_ff;
    case Extent::expert_gate_and_up:
      return 2 * config.expert_ff;
    case Extent::shared_ff:
      return config.shared_ff;
    case Extent::shared_gate_and_up:
      return 2 * config.shared_ff;
    case Extent::one:
      return 1;
    case Extent::positions:
      return config.max_seq_len;
    case Extent::gated_values:
      return 3 * config.n_embd;
    case Extent::kernel:
      return config.convolution_length;
    case Extent::mamba_in:
      return config.mamba_inner + mamba_channels(config) + config.mamba_heads;
    case Extent::mamba_channels:
      return mamba_channels(config);
    case Extent::mamba_kernel:
      return config.mamba_kernel;
    case Extent::mamba_heads:
      return config.mamba_heads;
    case Extent::mamba_inner:
      return config.mamba_inner;
    case Extent::gated_queries:
      return 2 * queries;
    case Extent::delta_channels:
      return 2 * config.delta_key_heads * config.delta_key_dim + values;
    case Extent::delta_kernel:
      return config.delta_kernel;
    case Extent::delta_heads:
      return config.delta_value_heads;
    case Extent::delta_values:
      return values;
    case Extent::delta_value:
      return config.delta_value_dim;
    case Extent::rope_pairs:
      return config.rope_dim / 2;
    case Extent::layer_input:
      return config.layer_input_width;
    case Extent::layer_inputs:
      return config.n_layers * config.layer_input_width;
  }
  return 0;
}

std::vector<uint64_t> Role::shape(const DecoderConfig& config) const {
  std::vector<uint64_t> shape = {size_of(row->rows, config, layer)};
  if (has_all_experts()) shape.insert(shape.begin(), config.n_experts);
  if (row->cols != Extent::none && !is_bias) shape.push_back(size_of(row->cols, config, layer));
  return shape;
}

TensorNames::TensorNames(const ModelDescription& description)
    : format_(description.format),
      is_gguf_(description.format == Format::gguf),
      family_(is_gguf_ ? family_of_gguf(description.architecture) : family_of_model_type(description.architecture)) {}

bool TensorNames::may_be(const PartRow& row) const {
  const bool is_decided = family_ != nullptr && (is_gguf_ || needs_family(family_->naming));
  return is_decided ? row.is_of(family_->naming) : (row.namings & (kLlama | kPhi3 | kPhi2)) != 0;
}

std::optional<Role> TensorNames::role_of(std::string_view name) const {
  if (is_gguf_ && family_ == nullptr) return std::nullopt;
  const std::string of_decoder = format_ == Format::safetensors ? name_of_folder(name) : std::string();
  if (format_ == Format::safetensors) name = of_decoder;
  Role role;
  std::string_view whole = name;
  role.is_bias = take_suffix(name, kBias);
  const bool has_suffix = role.is_bias || take_suffix(name, kWeight);
  const std::string_view prefix = is_gguf_ ? kBlockPrefix : kLayersPrefix;
  const bool layered = name.starts_with(prefix);
  if (layered) {
    name.remove_prefix(prefix.size());
    if (!take_number(name, role.layer)) return std::nullopt;
    whole.remove_prefix(static_cast<size_t>(name.data() - whole.data()));
  }
  for (const PartRow& row : kRows) {
    if (in_layer(row) != layered || !may_be(row)) continue;
    const std::string_view of_row = is_gguf_ ? row.gguf : row.huggingface;
    std::optional<uint32_t> expert;
    const bool is_whole = is_parameter(row.part);
    if (!is_named(of_row, is_whole ? whole : name, expert)) continue;
    // Only tensors that are no modules of their own have no suffix, or that of a bias. llama.cpp leaves it out of a
    // norm of Falcon-H1.
    const bool has_bare_norm = is_gguf_ && row.part == Part::mlp_norm && family_->naming == Naming::falcon_h1;
    const bool may_be_bare = is_whole || is_parameter_of_module(row.part) || (is_of_expert(row.part) && !expert);
    if (!has_suffix && !may_be_bare && !has_bare_norm) continue;
    role.row = &row;
    role.expert = expert;
    if (is_whole || is_parameter_of_module(row.part)) role.is_bias = false;
    return role;
  }
  return std::nullopt;
}

std::string TensorNames::name_of(const Role& role) const {
  std::string name;
  if (role.in_layer()) name = std::string(is_gguf_ ? kBlockPrefix : kLayersPrefix) + std::to_string(role.layer) + ".";
  name += name_in_layer(role, is_gguf_ ? role.row->gguf : role.row->huggingface);
  const bool is_of_folder = format_ == Format::safetensors && family_ != nullptr;
  return is_of_folder ? name_in_folder(family_->folder_naming, name) : name;
}

std::string TensorNames::name_of_folder(std::string_view name) const {
  const std::string of_decoder = decoder_name(name);
  return family_ == nullptr ? of_decoder : name_from_folder(family_->folder_naming, of_decoder);
}

std::string TensorNames::huggingface_name(std::string_view name) const {
  if (format_ == Format::safetensors) return name_of_folder(name);
  const auto role = is_gguf_ ? role_of(name) : std::nullopt;
  return role ? huggingface_name(*role) : std::string(name);
}

std::string TensorNames::huggingface_name(const Role& role) const {
  const PartRow* row = role.row;
  if (role.expert && family_ != nullptr && row->huggingface.find(kExpertNumber) == std::string_view::npos) {
    row = row_of(role.part(), family_->naming);
  }
  std::string name;
  if (role.in_layer()) name = std::string(kLayersPrefix) + std::to_string(role.layer) + ".";
  return name + name_in_layer(role, row->huggingface);
}

TensorOrder TensorNames::order_of(const Role& role, const DecoderConfig& config) const {
  const bool is_folder = format_ == Format::safetensors;
  TensorOrder order;
  if (family_ == nullptr || (!is_gguf_ && !is_folder)) return order;
  if (is_gguf_ ? family_->has_permuted_qk : family_->has_permuted_folder) {
    order.head_rows = config.head_dim_of(role.layer);
    order.rotated_rows = config.rope_dim_of(role.layer);
    const uint64_t heads = role.part() == Part::query ? config.n_heads
                           : role.part() == Part::key ? config.kv_heads_of(role.layer)
                           : role.part() == Part::qkv ? config.n_heads + config.kv_heads_of(role.layer)
                                                      : 0;
    order.interleaved_heads = heads;
  }
  if (is_folder) {
    order.is_transposed = family_->has_transposed_folder && role.in_layer() && role.row->is_matrix() && !role.is_bias;
    if (family_->has_grouped_qkv && role.part() == Part::qkv) {
      order.groups = config.kv_heads_of(role.layer);
      order.head_rows = config.head_dim_of(role.layer);
    }
  }
  return order;
}

Failure unknown_expert(const TensorInfo& info, uint64_t experts) {
  return tensor_error(Code::format, Reason::mismatch, info,
                      "an expert beyond the " + std::to_string(experts) + " of the configuration");
}

bool is_huggingface_matrix(std::string_view name) {
  uint32_t layer = 0;
  if (!take_suffix(name, kWeight)) return false;
  const bool layered = name.starts_with(kLayersPrefix);
  if (layered) name.remove_prefix(kLayersPrefix.size());
  if (layered && !take_number(name, layer)) return false;
  return std::ranges::any_of(kRows, [=](const PartRow& row) {
    std::optional<uint32_t> expert;
    return in_layer(row) == layered && is_named(row.huggingface, name, expert) && row.is_matrix();
  });
}

const PartRow* row_of(Part part, Naming naming) {
  for (const PartRow& row : kRows) {
    if (row.part == part && row.is_of(naming)) return &row;
  }
  return nullptr;
}

}  // namespace quintet::decoder
