// The table of the parts of a decoder (layer_parts.h).

#include "architectures/decoder/layer_parts.h"

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

}  // namespace

std::span<const PartRow> part_rows() { return kRows; }

}  // namespace quintet::decoder
