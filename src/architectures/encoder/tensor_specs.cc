// The table of the tensors of an encoder (tensor_names.h).

#include "architectures/encoder/tensor_names.h"

namespace quintet::encoder {
namespace {

constexpr uint32_t bit(Naming naming) { return 1U << static_cast<unsigned>(naming); }
constexpr uint32_t kBertOnly = bit(Naming::bert), kRoberta = bit(Naming::roberta), kElectra = bit(Naming::electra);
constexpr uint32_t kBert = kBertOnly | kRoberta | kElectra;
constexpr uint32_t kMpnet = bit(Naming::mpnet), kDistil = bit(Naming::distilbert);
constexpr uint32_t kNomicGated = bit(Naming::nomic), kNomicMoe = bit(Naming::nomic_moe);
constexpr uint32_t kNomicOnly = kNomicGated | kNomicMoe, kJinaV3 = bit(Naming::jina_v3), kNomic = kNomicOnly | kJinaV3;
constexpr uint32_t kModern = bit(Naming::modernbert), kJina = bit(Naming::jina);
constexpr uint32_t kGte = bit(Naming::gte), kPlain = bit(Naming::decoder);
constexpr uint32_t kGemma2 = bit(Naming::gemma2), kGemma = bit(Naming::gemma) | kGemma2;
constexpr uint32_t kDeberta = bit(Naming::deberta), kLfm2 = bit(Naming::lfm2);
constexpr uint32_t kClassic = kBert | kMpnet, kSelf = kBert | kJina, kDecoders = kPlain | kGemma,
                   kAllDecoders = kDecoders | kLfm2;
constexpr uint32_t kPooler = kBertOnly | kJina | kGte;
constexpr uint32_t kClassifierModule = kRoberta | kMpnet | kElectra;
constexpr uint32_t kNotModern = kClassic | kDistil | kNomic | kJina | kGte | kDeberta;

constexpr TensorSpec kRows[] = {
    // clang-format off
    {TensorKind::embeddings, "embeddings.word_embeddings", "token_embd", Dim::vocab, Dim::embedding, kNotModern, true},
    {TensorKind::embeddings, "embeddings.tok_embeddings", "token_embd", Dim::vocab, Dim::embedding, kModern, true},
    {TensorKind::embeddings, "embed_tokens", "token_embd", Dim::vocab, Dim::embedding, kAllDecoders, true},
    {TensorKind::position_embeddings, "embeddings.position_embeddings", "position_embd", Dim::positions, Dim::embedding, kClassic | kDistil},
    {TensorKind::token_type_embeddings, "embeddings.token_type_embeddings", "token_types", Dim::any, Dim::embedding, kSelf | kNomic | kGte},
    {TensorKind::embeddings_norm, "embeddings.LayerNorm", "token_embd_norm", Dim::embedding, Dim::none, kClassic | kDistil | kJina | kGte | kDeberta},
    {TensorKind::embeddings_projection, "embeddings_project", "", Dim::hidden, Dim::embedding, kElectra, true},
    {TensorKind::embeddings_norm, "emb_ln", "token_embd_norm", Dim::hidden, Dim::none, kNomic},
    {TensorKind::embeddings_norm, "embeddings.norm", "token_embd_norm", Dim::hidden, Dim::none, kModern},
    {TensorKind::distance_bias, "encoder.relative_attention_bias", "", Dim::buckets, Dim::heads, kMpnet},
    {TensorKind::relative_embeddings, "encoder.rel_embeddings", "", Dim::relative_positions, Dim::hidden, kDeberta},
    {TensorKind::relative_norm, "encoder.LayerNorm", "", Dim::hidden, Dim::none, kDeberta},
    {TensorKind::final_norm, "final_norm", "output_norm", Dim::hidden, Dim::none, kModern},
    {TensorKind::final_norm, "norm", "output_norm", Dim::hidden, Dim::none, kDecoders},
    {TensorKind::final_norm, "embedding_norm", "token_embd_norm", Dim::hidden, Dim::none, kLfm2},
    {TensorKind::layer_embeddings_projection, "ple.per_layer_model_projection", "", Dim::layer_inputs, Dim::hidden, kGemma2, true},
    {TensorKind::layer_embeddings_norm, "ple.per_layer_projection_norm", "", Dim::layer_input, Dim::none, kGemma2},
    {TensorKind::output_projection, "embedding_projection", "", Dim::output, Dim::hidden, kGemma2},
    {TensorKind::output_projection, "linear", "", Dim::output, Dim::hidden, ~0U},  // of Stanford's ColBERT
    {TensorKind::head_dense, "pooler.dense", "cls", Dim::hidden, Dim::hidden, kPooler | kDeberta},
    {TensorKind::head_dense, "classifier.dense", "", Dim::hidden, Dim::hidden, kClassifierModule},
    {TensorKind::head_dense, "pre_classifier", "", Dim::hidden, Dim::hidden, kDistil},
    {TensorKind::head_dense, "head.dense", "cls", Dim::hidden, Dim::hidden, kModern},
    {TensorKind::head_norm, "head.norm", "cls.norm", Dim::hidden, Dim::none, kModern},
    {TensorKind::classifier, "classifier", "cls.output", Dim::labels, Dim::hidden, kPooler | kDeberta | kDistil | kModern},
    {TensorKind::classifier, "score", "cls.output", Dim::labels, Dim::hidden, kPlain | kLfm2 | bit(Naming::gemma)},
    {TensorKind::classifier, "classifier.out_proj", "", Dim::labels, Dim::hidden, kClassifierModule},
    {TensorKind::classifier, "classifier", "", Dim::labels, Dim::hidden, kClassifierModule},  // of tokens
    {TensorKind::mlm_dense, "cls.predictions.transform.dense", "", Dim::hidden, Dim::hidden, kBertOnly},
    {TensorKind::mlm_dense, "lm_head.dense", "", Dim::hidden, Dim::hidden, kRoberta | kMpnet | kGte},
    {TensorKind::mlm_dense, "vocab_transform", "", Dim::hidden, Dim::hidden, kDistil},
    {TensorKind::mlm_dense, "head.dense", "", Dim::hidden, Dim::hidden, kModern},
    {TensorKind::mlm_norm, "cls.predictions.transform.LayerNorm", "", Dim::hidden, Dim::none, kBertOnly},
    {TensorKind::mlm_norm, "lm_head.layer_norm", "", Dim::hidden, Dim::none, kRoberta | kMpnet},
    {TensorKind::mlm_norm, "lm_head.norm", "", Dim::hidden, Dim::none, kGte},
    {TensorKind::mlm_norm, "vocab_layer_norm", "", Dim::hidden, Dim::none, kDistil},
    {TensorKind::mlm_norm, "head.norm", "", Dim::hidden, Dim::none, kModern},
    {TensorKind::mlm_output, "cls.predictions", "", Dim::vocab, Dim::none, kBertOnly},
    {TensorKind::mlm_output, "lm_head", "", Dim::vocab, Dim::none, kRoberta | kMpnet},
    {TensorKind::mlm_output, "lm_head.decoder", "", Dim::vocab, Dim::none, kGte},
    {TensorKind::mlm_output, "vocab_projector", "", Dim::vocab, Dim::none, kDistil},
    {TensorKind::mlm_output, "decoder", "", Dim::vocab, Dim::none, kModern},

    {TensorKind::input_norm, "attn_norm", "attn_norm", Dim::hidden, Dim::none, kModern},
    {TensorKind::input_norm, "input_layernorm", "attn_norm", Dim::hidden, Dim::none, kDecoders},
    {TensorKind::input_norm, "operator_norm", "attn_norm", Dim::hidden, Dim::none, kLfm2},
    {TensorKind::query, "attention.self.query", "attn_q", Dim::hidden, Dim::hidden, kSelf, true},
    {TensorKind::query, "attention.attn.q", "", Dim::hidden, Dim::hidden, kMpnet, true},
    {TensorKind::query, "attention.q_lin", "", Dim::hidden, Dim::hidden, kDistil, true},
    {TensorKind::query, "attention.self.query_proj", "", Dim::hidden, Dim::hidden, kDeberta, true},
    {TensorKind::query, "self_attn.q_proj", "attn_q", Dim::queries, Dim::hidden, kAllDecoders, true},
    {TensorKind::key, "attention.self.key", "attn_k", Dim::hidden, Dim::hidden, kSelf, true},
    {TensorKind::key, "attention.attn.k", "", Dim::hidden, Dim::hidden, kMpnet, true},
    {TensorKind::key, "attention.k_lin", "", Dim::hidden, Dim::hidden, kDistil, true},
    {TensorKind::key, "attention.self.key_proj", "", Dim::hidden, Dim::hidden, kDeberta, true},
    {TensorKind::key, "self_attn.k_proj", "attn_k", Dim::keys, Dim::hidden, kAllDecoders, true},
    {TensorKind::value, "attention.self.value", "attn_v", Dim::hidden, Dim::hidden, kSelf, true},
    {TensorKind::value, "attention.attn.v", "", Dim::hidden, Dim::hidden, kMpnet, true},
    {TensorKind::value, "attention.v_lin", "", Dim::hidden, Dim::hidden, kDistil, true},
    {TensorKind::value, "attention.self.value_proj", "", Dim::hidden, Dim::hidden, kDeberta, true},
    {TensorKind::value, "self_attn.v_proj", "attn_v", Dim::keys, Dim::hidden, kAllDecoders, true},
    {TensorKind::qkv, "attn.Wqkv", "attn_qkv", Dim::qkv, Dim::hidden, kNomicOnly | kModern, true},
    {TensorKind::qkv, "mixer.Wqkv", "attn_qkv", Dim::qkv, Dim::hidden, kJinaV3, true},
    {TensorKind::qkv, "attention.qkv_proj", "", Dim::qkv, Dim::hidden, kGte, true},
    {TensorKind::qkv, "self_attn.qkv_proj", "", Dim::qkv, Dim::hidden, kPlain, true},  // of Phi-3
    {TensorKind::query_norm, "attention.self.layer_norm_q", "attn_q_norm", Dim::hidden, Dim::none, kJina},
    {TensorKind::query_norm, "self_attn.q_norm", "attn_q_norm", Dim::head, Dim::none, kDecoders},
    {TensorKind::query_norm, "self_attn.q_layernorm", "attn_q_norm", Dim::head, Dim::none, kLfm2},
    {TensorKind::key_norm, "attention.self.layer_norm_k", "attn_k_norm", Dim::hidden, Dim::none, kJina},
    {TensorKind::key_norm, "self_attn.k_norm", "attn_k_norm", Dim::head, Dim::none, kDecoders},
    {TensorKind::key_norm, "self_attn.k_layernorm", "attn_k_norm", Dim::head, Dim::none, kLfm2},
    {TensorKind::attention_output, "attention.output.dense", "attn_output", Dim::hidden, Dim::hidden, kSelf | kDeberta, true},
    {TensorKind::attention_output, "attention.attn.o", "", Dim::hidden, Dim::hidden, kMpnet, true},
    {TensorKind::attention_output, "attention.out_lin", "", Dim::hidden, Dim::hidden, kDistil, true},
    {TensorKind::attention_output, "attn.out_proj", "attn_output", Dim::hidden, Dim::hidden, kNomicOnly, true},
    {TensorKind::attention_output, "mixer.out_proj", "attn_output", Dim::hidden, Dim::hidden, kJinaV3, true},
    {TensorKind::attention_output, "attn.Wo", "attn_output", Dim::hidden, Dim::hidden, kModern, true},
    {TensorKind::attention_output, "attention.o_proj", "", Dim::hidden, Dim::hidden, kGte, true},
    {TensorKind::attention_output, "self_attn.o_proj", "attn_output", Dim::hidden, Dim::queries, kDecoders, true},
    {TensorKind::attention_output, "self_attn.out_proj", "attn_output", Dim::hidden, Dim::queries, kLfm2, true},
    {TensorKind::attention_norm, "attention.output.LayerNorm", "attn_output_norm", Dim::hidden, Dim::none, kSelf | kDeberta},
    {TensorKind::attention_norm, "attention.LayerNorm", "", Dim::hidden, Dim::none, kMpnet},
    {TensorKind::attention_norm, "sa_layer_norm", "", Dim::hidden, Dim::none, kDistil},
    {TensorKind::attention_norm, "norm1", "attn_output_norm", Dim::hidden, Dim::none, kNomic},
    {TensorKind::attention_norm, "attn_ln", "", Dim::hidden, Dim::none, kGte},
    {TensorKind::attention_norm, "post_attention_layernorm", "post_attention_norm", Dim::hidden, Dim::none, kGemma},
    {TensorKind::second_attention_norm, "layer_norm_1", "attn_norm_2", Dim::hidden, Dim::none, kJina},
    {TensorKind::mlp_norm, "mlp_norm", "ffn_norm", Dim::hidden, Dim::none, kModern},
    {TensorKind::mlp_norm, "post_attention_layernorm", "ffn_norm", Dim::hidden, Dim::none, kPlain},
    {TensorKind::mlp_norm, "pre_feedforward_layernorm", "ffn_norm", Dim::hidden, Dim::none, kGemma},
    {TensorKind::mlp_norm, "ffn_norm", "ffn_norm", Dim::hidden, Dim::none, kLfm2},
    {TensorKind::up, "intermediate.dense", "ffn_up", Dim::ff, Dim::hidden, kClassic | kDeberta, true},
    {TensorKind::up, "ffn.lin1", "", Dim::ff, Dim::hidden, kDistil, true},
    {TensorKind::up, "mlp.fc11", "ffn_up", Dim::ff, Dim::hidden, kNomicGated, true},
    {TensorKind::up, "mlp.fc1", "ffn_up", Dim::ff, Dim::hidden, kJinaV3 | kNomicMoe, true},
    {TensorKind::up, "mlp.gated_layers_v", "ffn_up", Dim::ff, Dim::hidden, kJina, true},
    {TensorKind::up, "mlp.up_proj", "ffn_up", Dim::ff, Dim::hidden, kDecoders, true},
    {TensorKind::up, "feed_forward.w3", "ffn_up", Dim::ff, Dim::hidden, kLfm2, true},
    {TensorKind::gate, "mlp.fc12", "ffn_gate", Dim::ff, Dim::hidden, kNomicGated, true},
    {TensorKind::gate, "mlp.gated_layers_w", "ffn_gate", Dim::ff, Dim::hidden, kJina, true},
    {TensorKind::gate, "mlp.gate_proj", "ffn_gate", Dim::ff, Dim::hidden, kDecoders, true},
    {TensorKind::gate, "feed_forward.w1", "ffn_gate", Dim::ff, Dim::hidden, kLfm2, true},
    {TensorKind::gate_up, "mlp.Wi", "ffn_up", Dim::gate_and_up, Dim::hidden, kModern, true},
    {TensorKind::gate_up, "mlp.gated_layers", "ffn_up", Dim::gate_and_up, Dim::hidden, kJina, true},
    {TensorKind::gate_up, "mlp.gate_up_proj", "", Dim::gate_and_up, Dim::hidden, kPlain, true},  // of Phi-3
    {TensorKind::up_gate, "mlp.up_gated_layer", "", Dim::gate_and_up, Dim::hidden, kJina, true},
    {TensorKind::up_gate, "mlp.up_gate_proj", "", Dim::gate_and_up, Dim::hidden, kGte, true},
    {TensorKind::down, "mlp.down_proj", "ffn_down", Dim::hidden, Dim::ff, kDecoders, true},
    {TensorKind::down, "feed_forward.w2", "ffn_down", Dim::hidden, Dim::ff, kLfm2, true},
    {TensorKind::down, "output.dense", "ffn_down", Dim::hidden, Dim::ff, kClassic | kDeberta, true},
    {TensorKind::down, "ffn.lin2", "", Dim::hidden, Dim::ff, kDistil, true},
    {TensorKind::down, "mlp.fc2", "ffn_down", Dim::hidden, Dim::ff, kNomic, true},
    {TensorKind::down, "mlp.Wo", "ffn_down", Dim::hidden, Dim::ff, kModern, true},
    {TensorKind::down, "mlp.wo", "ffn_down", Dim::hidden, Dim::ff, kJina, true},
    {TensorKind::down, "mlp.down_layer", "", Dim::hidden, Dim::ff, kJina, true},
    {TensorKind::down, "mlp.down_proj", "", Dim::hidden, Dim::ff, kGte, true},
    {TensorKind::convolution_input, "conv.in_proj", "shortconv.in_proj", Dim::gated_values, Dim::hidden, kLfm2, true},
    {TensorKind::convolution_kernel, "conv.conv", "shortconv.conv", Dim::hidden, Dim::kernel, kLfm2},
    {TensorKind::convolution_output, "conv.out_proj", "shortconv.out_proj", Dim::hidden, Dim::hidden, kLfm2, true},
    {TensorKind::router, "mlp.router.layer", "ffn_gate_inp", Dim::experts, Dim::hidden, kNomicMoe},
    {TensorKind::expert_up, "mlp.experts.mlp.w1", "", Dim::all_expert_ff, Dim::hidden, kNomicMoe, true},
    {TensorKind::expert_up, "", "ffn_up_exps", Dim::expert_ff, Dim::hidden, kNomicMoe, true},
    {TensorKind::expert_down, "mlp.experts.mlp.w2", "", Dim::all_expert_ff, Dim::hidden, kNomicMoe, true},
    {TensorKind::expert_down, "", "ffn_down_exps", Dim::hidden, Dim::expert_ff, kNomicMoe, true},
    {TensorKind::experts_bias, "mlp.experts", "", Dim::hidden, Dim::none, kNomicMoe},
    {TensorKind::layer_input_gate, "ple_block.per_layer_input_gate", "", Dim::layer_input, Dim::hidden, kGemma2, true},
    {TensorKind::layer_input_projection, "ple_block.per_layer_projection", "", Dim::hidden, Dim::layer_input, kGemma2, true},
    {TensorKind::layer_input_norm, "ple_block.post_per_layer_input_norm", "", Dim::hidden, Dim::none, kGemma2},
    {TensorKind::layer_scale, "layer_scalar", "", Dim::one, Dim::none, kGemma2},
    {TensorKind::output_norm, "post_feedforward_layernorm", "post_ffw_norm", Dim::hidden, Dim::none, kGemma},
    {TensorKind::output_norm, "output.LayerNorm", "layer_output_norm", Dim::hidden, Dim::none, kClassic | kDeberta},
    {TensorKind::output_norm, "output_layer_norm", "", Dim::hidden, Dim::none, kDistil},
    {TensorKind::output_norm, "norm2", "layer_output_norm", Dim::hidden, Dim::none, kNomic},
    {TensorKind::output_norm, "mlp.layernorm", "layer_output_norm", Dim::hidden, Dim::none, kJina},
    {TensorKind::output_norm, "layer_norm_2", "", Dim::hidden, Dim::none, kJina},
    {TensorKind::output_norm, "mlp_ln", "", Dim::hidden, Dim::none, kGte},
    // clang-format on
};

}  // namespace

std::span<const TensorSpec> tensor_specs() { return kRows; }

}  // namespace quintet::encoder
