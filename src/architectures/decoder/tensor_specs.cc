// The table of the tensors of a decoder (tensor_names.h).

#include "architectures/decoder/tensor_names.h"

namespace quintet::decoder {
namespace {

constexpr uint32_t bit(Naming naming) { return 1U << static_cast<unsigned>(naming); }
constexpr uint32_t kLlama = bit(Naming::llama);
constexpr uint32_t kPhi3 = bit(Naming::phi3);
constexpr uint32_t kPhi2 = bit(Naming::phi2);
constexpr uint32_t kOlmo2 = bit(Naming::olmo2);
constexpr uint32_t kGemma3n = bit(Naming::gemma3n);
constexpr uint32_t kGemma2 = bit(Naming::gemma2) | kGemma3n;
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
// Families with norms before the branches, where Hugging Face's files call the second norm the one after attention.
constexpr uint32_t kPreNorm = kLlama | kPhi3 | kMoe | kGraniteMoe | kGraniteHybrid | kHunyuan | kStarCoder2 | kGlm4;
constexpr uint32_t kLlamas = kPreNorm | kOlmo2 | kGemma2 | kSeedOss | kFalconH1 | kQwen35;
constexpr uint32_t kWithQkNorm = kPhi2 | (kLlamas & ~kHunyuan);
constexpr uint32_t kGateAndUp = kLlama | kMoe | kOlmo2 | kGemma2 | kHunyuan | kSeedOss | kQwen35;  // as two matrices
constexpr uint32_t kGranites = kGraniteMoe | kGraniteHybrid;
constexpr uint32_t kBesideMamba = kGraniteHybrid | kFalconH1;
constexpr uint32_t kAll = kLlamas | kPhi2 | kLfm2;

// GGUF has one name for different tensors; the family decides between them. Hugging Face's
// names are unambiguous (docs/formats/amb.md, "Weights") except for `post_attention_layernorm`: in most families it is
// the norm before the MLP, in those with norms after the branches the one after the attention.
constexpr TensorSpec kRows[] = {
    {TensorKind::input_norm, "input_layernorm", "attn_norm", Dim::hidden, Dim::none,
     kPreNorm | kSeedOss | kPhi2 | kGemma2 | kFalconH1 | kQwen35},
    {TensorKind::input_norm, "norm", "attn_norm", Dim::hidden, Dim::none, kMamba},
    {TensorKind::mlp_norm, "pre_ff_layernorm", "ffn_norm", Dim::hidden, Dim::none, kFalconH1},
    {TensorKind::mlp_norm, "post_attention_layernorm", "ffn_norm", Dim::hidden, Dim::none, kPreNorm},
    {TensorKind::mlp_norm, "post_attention_layernorm", "post_attention_norm", Dim::hidden, Dim::none,
     kSeedOss | kQwen35},
    {TensorKind::mlp_norm, "pre_feedforward_layernorm", "ffn_norm", Dim::hidden, Dim::none, kGemma2},
    {TensorKind::post_attention_norm, "post_attention_layernorm", "post_attention_norm", Dim::hidden, Dim::none,
     kOlmo2 | kGemma2},
    {TensorKind::post_mlp_norm, "post_feedforward_layernorm", "post_ffw_norm", Dim::hidden, Dim::none,
     kOlmo2 | kGemma2},
    {TensorKind::post_attention_norm, "post_self_attn_layernorm", "post_attention_norm", Dim::hidden, Dim::none, kGlm4},
    {TensorKind::post_mlp_norm, "post_mlp_layernorm", "post_ffw_norm", Dim::hidden, Dim::none, kGlm4},
    {TensorKind::query_norm, "self_attn.query_layernorm", "attn_q_norm", Dim::query_norm, Dim::none, kHunyuan},
    {TensorKind::key_norm, "self_attn.key_layernorm", "attn_k_norm", Dim::key_norm, Dim::none, kHunyuan},
    {TensorKind::query_norm, "self_attn.q_norm", "attn_q_norm", Dim::query_norm, Dim::none, kWithQkNorm},
    {TensorKind::key_norm, "self_attn.k_norm", "attn_k_norm", Dim::key_norm, Dim::none, kWithQkNorm},
    {TensorKind::query, "self_attn.q_proj", "attn_q", Dim::queries, Dim::hidden, kAll & ~kQwen35},
    {TensorKind::query, "self_attn.q_proj", "attn_q", Dim::gated_queries, Dim::hidden, kQwen35},
    {TensorKind::key, "self_attn.k_proj", "attn_k", Dim::keys, Dim::hidden, kAll},
    {TensorKind::value, "self_attn.v_proj", "attn_v", Dim::keys, Dim::hidden, kAll},
    {TensorKind::qkv, "self_attn.qkv_proj", "attn_qkv", Dim::qkv, Dim::hidden, kAll & ~kQwen35},
    {TensorKind::query, "mixer.q_proj", "attn_q", Dim::queries, Dim::hidden, kMamba},
    {TensorKind::key, "mixer.k_proj", "attn_k", Dim::keys, Dim::hidden, kMamba},
    {TensorKind::value, "mixer.v_proj", "attn_v", Dim::keys, Dim::hidden, kMamba},
    {TensorKind::attention_output, "mixer.o_proj", "attn_output", Dim::hidden, Dim::queries, kMamba},
    {TensorKind::attention_output, "self_attn.o_proj", "attn_output", Dim::hidden, Dim::queries, kLlamas},
    {TensorKind::attention_output, "self_attn.dense", "attn_output", Dim::hidden, Dim::queries, kPhi2},
    {TensorKind::gate, "mlp.gate_proj", "ffn_gate", Dim::ff, Dim::hidden, kGateAndUp},
    {TensorKind::up, "mlp.up_proj", "ffn_up", Dim::ff, Dim::hidden, kGateAndUp},
    {TensorKind::gate_up, "mlp.gate_up_proj", "ffn_up", Dim::gate_and_up, Dim::hidden, kPhi3 | kGlm4},
    {TensorKind::gate_up, "shared_mlp.input_linear", "", Dim::gate_and_up, Dim::hidden, kGraniteHybrid},
    {TensorKind::gate, "shared_mlp.gate_linear", "ffn_gate", Dim::ff, Dim::hidden, kGraniteHybrid},
    {TensorKind::gate, "shared_mlp.gate_linear", "ffn_gate_shexp", Dim::ff, Dim::hidden, kGraniteHybrid},
    {TensorKind::up, "shared_mlp.up_linear", "ffn_up", Dim::ff, Dim::hidden, kGraniteHybrid},
    {TensorKind::up, "shared_mlp.up_linear", "ffn_up_shexp", Dim::ff, Dim::hidden, kGraniteHybrid},
    {TensorKind::gate, "feed_forward.gate_proj", "ffn_gate", Dim::ff, Dim::hidden, kFalconH1},
    {TensorKind::up, "feed_forward.up_proj", "ffn_up", Dim::ff, Dim::hidden, kFalconH1},
    {TensorKind::up, "mixer.up_proj", "ffn_up", Dim::ff, Dim::hidden, kMamba},
    {TensorKind::up, "mlp.c_fc", "ffn_up", Dim::ff, Dim::hidden, kStarCoder2},
    {TensorKind::up, "mlp.fc1", "ffn_up", Dim::ff, Dim::hidden, kPhi2},
    {TensorKind::down, "mlp.down_proj", "ffn_down", Dim::hidden, Dim::ff, kGateAndUp | kPhi3 | kGlm4},
    {TensorKind::down, "shared_mlp.output_linear", "ffn_down", Dim::hidden, Dim::ff, kGraniteHybrid},
    {TensorKind::down, "shared_mlp.output_linear", "ffn_down_shexp", Dim::hidden, Dim::ff, kGraniteHybrid},
    {TensorKind::down, "feed_forward.down_proj", "ffn_down", Dim::hidden, Dim::ff, kFalconH1},
    {TensorKind::down, "mixer.down_proj", "ffn_down", Dim::hidden, Dim::ff, kMamba},
    {TensorKind::down, "mlp.c_proj", "ffn_down", Dim::hidden, Dim::ff, kStarCoder2},
    {TensorKind::down, "mlp.fc2", "ffn_down", Dim::hidden, Dim::ff, kPhi2},
    {TensorKind::router, "mlp.gate", "ffn_gate_inp", Dim::experts, Dim::hidden, kMoe},
    {TensorKind::router, "block_sparse_moe.router.layer", "ffn_gate_inp", Dim::experts, Dim::hidden, kGranites},
    {TensorKind::router, "feed_forward.gate", "ffn_gate_inp", Dim::experts, Dim::hidden, kLfm2},
    {TensorKind::router_bias, "feed_forward.expert_bias", "exp_probs_b", Dim::experts, Dim::none, kLfm2},
    {TensorKind::expert_gate, "mlp.experts.*.gate_proj", "ffn_gate_exps", Dim::expert_ff, Dim::hidden,
     kMoe | kGranites},
    {TensorKind::expert_up, "mlp.experts.*.up_proj", "ffn_up_exps", Dim::expert_ff, Dim::hidden, kMoe | kGranites},
    {TensorKind::expert_gate_up, "mlp.experts.*.gate_up_proj", "ffn_gate_up_exps", Dim::expert_gate_and_up, Dim::hidden,
     kMoe | kGranites},
    {TensorKind::expert_down, "mlp.experts.*.down_proj", "ffn_down_exps", Dim::hidden, Dim::expert_ff,
     kMoe | kGranites},
    {TensorKind::expert_gate_up, "block_sparse_moe.input_linear", "", Dim::expert_gate_and_up, Dim::hidden, kGranites},
    {TensorKind::expert_down, "block_sparse_moe.output_linear", "", Dim::hidden, Dim::expert_ff, kGranites},
    {TensorKind::expert_gate, "feed_forward.experts.*.w1", "ffn_gate_exps", Dim::expert_ff, Dim::hidden, kLfm2},
    {TensorKind::expert_up, "feed_forward.experts.*.w3", "ffn_up_exps", Dim::expert_ff, Dim::hidden, kLfm2},
    {TensorKind::expert_down, "feed_forward.experts.*.w2", "ffn_down_exps", Dim::hidden, Dim::expert_ff, kLfm2},
    {TensorKind::shared_gate, "mlp.shared_expert.gate_proj", "ffn_gate_shexp", Dim::shared_ff, Dim::hidden, kMoe},
    {TensorKind::shared_up, "mlp.shared_expert.up_proj", "ffn_up_shexp", Dim::shared_ff, Dim::hidden, kMoe},
    {TensorKind::shared_down, "mlp.shared_expert.down_proj", "ffn_down_shexp", Dim::hidden, Dim::shared_ff, kMoe},
    {TensorKind::shared_router, "mlp.shared_expert_gate", "ffn_gate_inp_shexp", Dim::one, Dim::hidden, kMoe},
    {TensorKind::shared_gate, "shared_mlp.gate_linear", "ffn_gate_shexp", Dim::shared_ff, Dim::hidden, kGraniteMoe},
    {TensorKind::shared_up, "shared_mlp.up_linear", "ffn_up_shexp", Dim::shared_ff, Dim::hidden, kGraniteMoe},
    {TensorKind::shared_gate_up, "shared_mlp.input_linear", "", Dim::shared_gate_and_up, Dim::hidden, kGraniteMoe},
    {TensorKind::shared_down, "shared_mlp.output_linear", "ffn_down_shexp", Dim::hidden, Dim::shared_ff, kGraniteMoe},
    {TensorKind::layer_input_gate, "per_layer_input_gate", "inp_gate", Dim::layer_input, Dim::hidden, kGemma2},
    {TensorKind::layer_input_projection, "per_layer_projection", "proj", Dim::hidden, Dim::layer_input, kGemma2},
    {TensorKind::layer_input_norm, "post_per_layer_input_norm", "post_norm", Dim::hidden, Dim::none, kGemma2},
    {TensorKind::layer_scale, "layer_scalar", "layer_output_scale", Dim::one, Dim::none, kGemma2},
    {TensorKind::altup_router_norm, "altup.router_norm", "altup_router_norm", Dim::hidden, Dim::none, kGemma3n},
    {TensorKind::altup_router, "altup.modality_router", "altup_router", Dim::streams, Dim::hidden, kGemma3n},
    {TensorKind::altup_prediction, "altup.prediction_coefs", "altup_predict_coef", Dim::stream_pairs, Dim::streams,
     kGemma3n},
    {TensorKind::altup_correction, "altup.correction_coefs", "altup_correct_coef", Dim::streams, Dim::streams,
     kGemma3n},
    {TensorKind::altup_scale, "altup.correct_output_scale", "altup_correct_scale", Dim::hidden, Dim::none, kGemma3n},
    {TensorKind::laurel_left, "laurel.linear_left", "laurel_l", Dim::laurel_rank, Dim::hidden, kGemma3n},
    {TensorKind::laurel_right, "laurel.linear_right", "laurel_r", Dim::hidden, Dim::laurel_rank, kGemma3n},
    {TensorKind::laurel_norm, "laurel.post_laurel_norm", "laurel_post_norm", Dim::hidden, Dim::none, kGemma3n},
    {TensorKind::xielu_positive, "mlp.act_fn.alpha_p", "", Dim::one, Dim::none, kLlama},
    {TensorKind::xielu_negative, "mlp.act_fn.alpha_n", "", Dim::one, Dim::none, kLlama},
    {TensorKind::xielu_beta, "mlp.act_fn.beta", "", Dim::one, Dim::none, kLlama},
    {TensorKind::xielu_eps, "mlp.act_fn.eps", "", Dim::one, Dim::none, kLlama},
    {TensorKind::input_norm, "operator_norm", "attn_norm", Dim::hidden, Dim::none, kLfm2},
    {TensorKind::mlp_norm, "ffn_norm", "ffn_norm", Dim::hidden, Dim::none, kLfm2},
    {TensorKind::query_norm, "self_attn.q_layernorm", "attn_q_norm", Dim::query_norm, Dim::none, kLfm2},
    {TensorKind::key_norm, "self_attn.k_layernorm", "attn_k_norm", Dim::key_norm, Dim::none, kLfm2},
    {TensorKind::attention_output, "self_attn.out_proj", "attn_output", Dim::hidden, Dim::queries, kLfm2},
    {TensorKind::gate, "feed_forward.w1", "ffn_gate", Dim::ff, Dim::hidden, kLfm2},
    {TensorKind::up, "feed_forward.w3", "ffn_up", Dim::ff, Dim::hidden, kLfm2},
    {TensorKind::down, "feed_forward.w2", "ffn_down", Dim::hidden, Dim::ff, kLfm2},
    {TensorKind::convolution_input, "conv.in_proj", "shortconv.in_proj", Dim::gated_values, Dim::hidden, kLfm2},
    {TensorKind::convolution_kernel, "conv.conv", "shortconv.conv", Dim::hidden, Dim::kernel, kLfm2},
    {TensorKind::convolution_output, "conv.out_proj", "shortconv.out_proj", Dim::hidden, Dim::hidden, kLfm2},
    {TensorKind::mamba_input, "mamba.in_proj", "ssm_in", Dim::mamba_in, Dim::hidden, kBesideMamba},
    {TensorKind::mamba_convolution, "mamba.conv1d", "ssm_conv1d", Dim::mamba_channels, Dim::mamba_kernel, kBesideMamba},
    {TensorKind::mamba_rates, "mamba.A_log", "ssm_a", Dim::mamba_heads, Dim::none, kBesideMamba},
    {TensorKind::mamba_time_bias, "mamba.dt_bias", "ssm_dt.bias", Dim::mamba_heads, Dim::none, kBesideMamba},
    {TensorKind::mamba_skip, "mamba.D", "ssm_d", Dim::mamba_heads, Dim::none, kBesideMamba},
    {TensorKind::mamba_norm, "mamba.norm", "ssm_norm", Dim::mamba_inner, Dim::none, kBesideMamba},
    {TensorKind::mamba_output, "mamba.out_proj", "ssm_out", Dim::hidden, Dim::mamba_inner, kBesideMamba},
    {TensorKind::mamba_input, "mixer.in_proj", "ssm_in", Dim::mamba_in, Dim::hidden, kMamba},
    {TensorKind::mamba_convolution, "mixer.conv1d", "ssm_conv1d", Dim::mamba_channels, Dim::mamba_kernel, kMamba},
    {TensorKind::mamba_rates, "mixer.A_log", "ssm_a", Dim::mamba_heads, Dim::none, kMamba},
    {TensorKind::mamba_time_bias, "mixer.dt_bias", "ssm_dt.bias", Dim::mamba_heads, Dim::none, kMamba},
    {TensorKind::mamba_skip, "mixer.D", "ssm_d", Dim::mamba_heads, Dim::none, kMamba},
    {TensorKind::mamba_norm, "mixer.norm", "ssm_norm", Dim::mamba_inner, Dim::none, kMamba},
    {TensorKind::mamba_output, "mixer.out_proj", "ssm_out", Dim::hidden, Dim::mamba_inner, kMamba},
    {TensorKind::delta_input, "linear_attn.in_proj_qkv", "attn_qkv", Dim::delta_channels, Dim::hidden, kQwen35},
    {TensorKind::delta_gate, "linear_attn.in_proj_z", "attn_gate", Dim::delta_values, Dim::hidden, kQwen35},
    {TensorKind::delta_strength, "linear_attn.in_proj_b", "ssm_beta", Dim::delta_heads, Dim::hidden, kQwen35},
    {TensorKind::delta_time_step, "linear_attn.in_proj_a", "ssm_alpha", Dim::delta_heads, Dim::hidden, kQwen35},
    {TensorKind::delta_convolution, "linear_attn.conv1d", "ssm_conv1d", Dim::delta_channels, Dim::delta_kernel,
     kQwen35},
    {TensorKind::delta_rates, "linear_attn.A_log", "ssm_a", Dim::delta_heads, Dim::none, kQwen35},
    {TensorKind::delta_time_bias, "linear_attn.dt_bias", "ssm_dt.bias", Dim::delta_heads, Dim::none, kQwen35},
    {TensorKind::delta_norm, "linear_attn.norm", "ssm_norm", Dim::delta_value, Dim::none, kQwen35},
    {TensorKind::delta_output, "linear_attn.out_proj", "ssm_out", Dim::hidden, Dim::delta_values, kQwen35},
    {TensorKind::embeddings, "model.embeddings", "token_embd", Dim::vocab, Dim::hidden, kMamba},
    {TensorKind::final_norm, "model.norm_f", "output_norm", Dim::hidden, Dim::none, kMamba},
    {TensorKind::embeddings, "model.embed_tokens", "token_embd", Dim::vocab, Dim::hidden, kAll},
    {TensorKind::layer_embeddings, "model.embed_tokens_per_layer", "per_layer_token_embd", Dim::layer_vocab,
     Dim::layer_inputs, kGemma2},
    {TensorKind::layer_embeddings_projection, "model.per_layer_model_projection", "per_layer_model_proj",
     Dim::layer_inputs, Dim::hidden, kGemma2},
    {TensorKind::layer_embeddings_norm, "model.per_layer_projection_norm", "per_layer_proj_norm", Dim::layer_input,
     Dim::none, kGemma2},
    {TensorKind::altup_projection_1, "model.altup_projections.0", "altup_proj.0", Dim::hidden, Dim::hidden, kGemma3n},
    {TensorKind::altup_projection_2, "model.altup_projections.1", "altup_proj.1", Dim::hidden, Dim::hidden, kGemma3n},
    {TensorKind::altup_projection_3, "model.altup_projections.2", "altup_proj.2", Dim::hidden, Dim::hidden, kGemma3n},
    {TensorKind::altup_unembedding_1, "model.altup_unembed_projections.0", "altup_unembd_proj.0", Dim::hidden,
     Dim::hidden, kGemma3n},
    {TensorKind::altup_unembedding_2, "model.altup_unembed_projections.1", "altup_unembd_proj.1", Dim::hidden,
     Dim::hidden, kGemma3n},
    {TensorKind::altup_unembedding_3, "model.altup_unembed_projections.2", "altup_unembd_proj.2", Dim::hidden,
     Dim::hidden, kGemma3n},
    {TensorKind::position_embeddings, "model.embed_positions", "position_embd", Dim::positions, Dim::hidden, kAll},
    {TensorKind::final_norm, "model.norm", "output_norm", Dim::hidden, Dim::none, kLlamas & ~kFalconH1},
    {TensorKind::final_norm, "model.final_layernorm", "output_norm", Dim::hidden, Dim::none, kPhi2 | kFalconH1},
    {TensorKind::final_norm, "model.embedding_norm", "token_embd_norm", Dim::hidden, Dim::none, kLfm2},
    {TensorKind::output, "lm_head", "output", Dim::vocab, Dim::hidden, kAll | kMamba},
    {TensorKind::rope_freq_factors, "rope_freqs", "rope_freqs", Dim::rope_pairs, Dim::none, kAll},
    {TensorKind::rope_long_factors, "rope_factors_long", "rope_factors_long", Dim::rope_pairs, Dim::none, kAll},
    {TensorKind::rope_short_factors, "rope_factors_short", "rope_factors_short", Dim::rope_pairs, Dim::none, kAll},
};

}  // namespace

std::span<const TensorSpec> tensor_specs() { return kRows; }

}  // namespace quintet::decoder
