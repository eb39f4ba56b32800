#include "architectures/encoder/families.h"

#include <algorithm>
#include <iterator>

#include "base/flag_list.h"

namespace quintet::encoder {
namespace {

using transformer::Networks;
using transformer::TraitKey;
using transformer::TraitKeys;
using Config = EncoderConfig;

constexpr FixedField kAbsolute[] = {{"position_embedding_type", R"("absolute")"}};
constexpr FixedField kFixedInJina[] = {{"position_embedding_type", R"("alibi")"}, {"feed_forward_type", R"("geglu")"}};
constexpr FixedField kFixedInMpnet[] = {{"relative_attention_num_buckets", "32"}};
constexpr FixedField kFixedInNomic[] = {
    {"activation_function", R"("swiglu")"}, {"rotary_emb_fraction", "1"}, {"scale_attn_weights", "true"}};
constexpr FixedField kFixedInNomicMoe[] = {
    {"activation_function", R"("gelu")"},      {"rotary_emb_fraction", "1"},      {"scale_attn_weights", "true"},
    {"moe_normalize_expert_weights", "false"}, {"expert_choice_router", "false"}, {"ffn_div", "1"}};
constexpr FixedField kFixedInGte[] = {{"position_embedding_type", R"("rope")"}, {"layer_norm_type", R"("layer_norm")"}};
constexpr FixedField kUnscaledRope[] = {{"rope_scaling", "null"}};
constexpr FixedField kFixedInGemma[] = {{"use_bidirectional_attention", "true"}};

// Version 1 has other tensors, and the largest models of version 2 a convolution.
constexpr FixedField kFixedInDeberta[] = {
    {"relative_attention", "true"},     {"pos_att_type", R"(["p2c","c2p"] ["c2p","p2c"] "p2c|c2p" "c2p|p2c")"},
    {"share_att_key", "true"},          {"norm_rel_ebd", R"("layer_norm")"},
    {"position_biased_input", "false"}, {"type_vocab_size", "0"},
    {"conv_kernel_size", "0"},          {"pooler_hidden_act", R"("gelu")"}};

constexpr TraitKey kKeysOfElectra[] = {{&Config::embedding_width, "embedding_size"}};
constexpr TraitKey kKeysOfDeberta[] = {{&Config::relative_buckets, "position_buckets"}};
constexpr TraitKey kKeysOfDistilBert[] = {{&Config::n_embd, "dim"},      {&Config::n_layers, "n_layers"},
                                          {&Config::n_heads, "n_heads"}, {&Config::n_ff, "hidden_dim"},
                                          {&Config::norm_eps, ""},       {&Config::activation, "activation"}};
constexpr TraitKey kKeysOfNomic[] = {{&Config::n_embd, "n_embd"},
                                     {&Config::n_layers, "n_layer"},
                                     {&Config::n_heads, "n_head"},
                                     {&Config::n_ff, "n_inner"},
                                     {&Config::max_seq_len, "n_positions"},
                                     {&Config::norm_eps, "layer_norm_epsilon"},
                                     {&Config::activation, ""},
                                     {&Config::rope_freq_base, "rotary_emb_base"}};
constexpr TraitKey kKeysOfNomicMoe[] = {{&Config::n_embd, "n_embd"},
                                        {&Config::n_layers, "n_layer"},
                                        {&Config::n_heads, "n_head"},
                                        {&Config::n_ff, "n_inner"},
                                        {&Config::max_seq_len, "n_positions"},
                                        {&Config::norm_eps, "layer_norm_epsilon"},
                                        {&Config::activation, "activation_function"},
                                        {&Config::rope_freq_base, "rotary_emb_base"},
                                        {&Config::n_experts, "num_experts"},
                                        {&Config::n_experts_used, "moe_top_k"},
                                        {&Config::expert_interval, "moe_every_n_layers"}};
constexpr TraitKey kKeysOfJinaV3[] = {{&Config::rope_freq_base, "rotary_emb_base"}};
constexpr TraitKey kKeysOfModernBert[] = {{&Config::norm_eps, "norm_eps"},
                                          {&Config::activation, "hidden_activation"},
                                          {&Config::rope_freq_base, "global_rope_theta"},
                                          {&Config::local_rope_freq_base, "local_rope_theta"}};
constexpr TraitKey kKeysOfGemma[] = {{&Config::activation, "hidden_activation"}};
constexpr TraitKey kKeysOfGemma2[] = {{&Config::activation, "hidden_activation"},
                                      {&Config::layer_input_width, "hidden_size_per_layer_input"}};

constexpr std::string_view kIgnoredInNomic =
    "dense_seq_output reorder_and_upcast_attn max_trained_positions hidden_size num_hidden_layers num_attention_heads "
    "intermediate_size max_position_embeddings hidden_act layer_norm_eps head_dim moe_impl router_aux_loss_coef";

// BERT's block: LayerNorm after what a branch adds.
constexpr BlockForm post_norm(bool is_gated) {
  return {.norms = NormPlacement::post, .is_gated = is_gated, .has_layer_norm = true};
}

constexpr TransformerTraits bert(double norm_eps = 1e-12) {
  return {.is_rope = false,
          .has_position_embeddings = true,
          .activation = Activation::gelu_erf,
          .norm_eps = norm_eps,
          .block = post_norm(false),
          .is_causal = false,
          .has_token_types = true};
}

// One network under several names.
constexpr Family roberta(std::string_view title, std::string_view model_type) {
  return {.title = title,
          .model_type = model_type,
          .naming = Naming::roberta,
          .prefix = "roberta.",
          .traits = bert(1e-5),
          .has_padding_offset = true,
          .fixed = kAbsolute};
}
constexpr Family gte(std::string_view model_type) {
  return {.title = "GTE v1.5",
          .model_type = model_type,
          .naming = Naming::gte,
          .prefix = "new.",
          .traits = {.activation = Activation::gelu_erf,
                     .norm_eps = 1e-12,
                     .block = post_norm(true),
                     .is_causal = false,
                     .has_token_types = true},
          .has_biases = false,
          .fixed = kFixedInGte,
          .without_influence = "pack_qkv logn_attention_clip1"};
}

// Llama's blocks without the causal mask.
constexpr TransformerTraits bidirectional_llama(double rope_freq_base) {
  return {.rope_freq_base = rope_freq_base, .is_causal = false};
}

constexpr Family kFamilies[] = {
    {.title = "BERT",
     .model_type = "bert",
     .gguf = "bert",
     .prefix = "bert.",
     .traits = bert(),
     .fixed = kAbsolute,
     .without_influence = "directionality pooler_*"},
    {.title = "JinaBERT v2",
     .model_type = "jina_bert",
     .gguf = "jina-bert-v2",
     .declared_as = "bert",
     .position_type = "alibi",
     .naming = Naming::jina,
     .prefix = "bert.",
     .traits = {.is_rope = false,
                .activation = Activation::gelu_erf,
                .norm_eps = 1e-12,
                .block = post_norm(true),
                .is_causal = false,
                .has_token_types = true,
                .has_alibi = true},
     .has_biases = false,
     .fixed = kFixedInJina,
     .without_influence = "emb_pooler"},
    roberta("RoBERTa", "roberta"),
    roberta("XLM-RoBERTa", "xlm-roberta"),
    roberta("CamemBERT", "camembert"),
    {.title = "Jina v3",
     .model_type = "jina_v3",
     .gguf = "jina-bert-v3",
     .declared_as = "xlm-roberta",
     .position_type = "rotary",
     .naming = Naming::jina_v3,
     .prefix = "roberta.",
     .layers = "encoder.layers.",
     .keys = kKeysOfJinaV3,
     .traits =
         {.activation = Activation::gelu_erf, .block = post_norm(false), .is_causal = false, .has_token_types = true},
     .without_influence = "emb_pooler position_embedding_type lora_* task_instructions"},
    {.title = "ELECTRA",
     .model_type = "electra",
     .naming = Naming::electra,
     .prefix = "electra.",
     .keys = kKeysOfElectra,
     .traits = bert(),
     .head = {.activation = DenseActivation::gelu},
     .fixed = kAbsolute,
     .without_influence = "summary_*"},
    {.title = "DeBERTa v2/v3",
     .model_type = "deberta-v2",
     .naming = Naming::deberta,
     .prefix = "deberta.",
     .keys = kKeysOfDeberta,
     .traits = {.is_rope = false,
                .activation = Activation::gelu_erf,
                .norm_eps = 1e-7,
                .block = post_norm(false),
                .is_causal = false,
                .relative_buckets = 256},
     .head = {.activation = DenseActivation::gelu},
     .fixed = kFixedInDeberta,
     .without_influence = "pooler_* legacy"},
    {.title = "DistilBERT",
     .model_type = "distilbert",
     .naming = Naming::distilbert,
     .prefix = "distilbert.",
     .layers = "transformer.layer.",
     .keys = kKeysOfDistilBert,
     .traits = {.is_rope = false,
                .has_position_embeddings = true,
                .activation = Activation::gelu_erf,
                .norm_eps = 1e-12,
                .block = post_norm(false),
                .is_causal = false},
     .head = {.activation = DenseActivation::relu},
     .without_influence = "sinusoidal_pos_embds"},
    {.title = "MPNet",
     .model_type = "mpnet",
     .naming = Naming::mpnet,
     .prefix = "mpnet.",
     .traits = {.is_rope = false,
                .has_position_embeddings = true,
                .activation = Activation::gelu_erf,
                .norm_eps = 1e-12,
                .block = post_norm(false),
                .is_causal = false,
                .distance_buckets = 32},
     .has_padding_offset = true,
     .fixed = kFixedInMpnet},
    {.title = "NomicBERT",
     .model_type = "nomic_bert",
     .gguf = "nomic-bert",
     .naming = Naming::nomic,
     .prefix = "bert.",
     .layers = "encoder.layers.",
     .keys = kKeysOfNomic,
     .traits = {.norm_eps = 1e-12, .block = post_norm(true), .is_causal = false, .has_token_types = true},
     .has_biases = false,
     .fixed = kFixedInNomic,
     .without_influence = kIgnoredInNomic},
    {.title = "NomicBERT MoE",
     .model_type = "nomic_bert_moe",
     .gguf = "nomic-bert-moe",
     .declared_as = "nomic_bert",
     .declared_by = "moe_every_n_layers",
     .naming = Naming::nomic_moe,
     .prefix = "bert.",
     .layers = "encoder.layers.",
     .keys = kKeysOfNomicMoe,
     .traits = {.activation = Activation::gelu_erf,
                .norm_eps = 1e-12,
                .n_experts = 8,
                .n_experts_used = 2,
                .expert_interval = 2,
                .block = post_norm(false),
                .is_causal = false,
                .has_token_types = true},
     .has_biases = false,
     .fixed = kFixedInNomicMoe,
     .without_influence = kIgnoredInNomic},
    {.title = "ModernBERT",
     .model_type = "modernbert",
     .gguf = "modern-bert",
     .naming = Naming::modernbert,
     .prefix = "model.",
     .layers = "layers.",
     .keys = kKeysOfModernBert,
     .traits = {.activation = Activation::gelu_erf,
                .rope_freq_base = 160000,
                .local_rope_freq_base = 10000,
                .sliding_window = 128,
                .block = {.has_layer_norm = true},
                .is_causal = false},
     .has_biases = false,
     .full_attention_interval = 3,
     .has_full_attention_first = true,
     .head = {.activation = DenseActivation::gelu},
     .gguf_head_pooling = Pooling::mean,
     .window_key = "local_attention",
     .interval_key = "global_attn_every_n_layers",
     .without_influence = "position_embedding_type layer_norm_eps deterministic_flash_attn sparse_pred* "
                          "reference_compile repad_logits_with_grad"},
    gte("new"),
    gte("gte"),
    {.title = "Qwen3",
     .model_type = "qwen3",
     .gguf = "qwen3",
     .naming = Naming::decoder,
     .prefix = "model.",
     .layers = "layers.",
     .traits = {.norm_eps = 1e-6, .qk_norm = QkNorm::per_head},
     .has_head_sizes = true,
     .has_biases = false,
     .head = {.labels = 2},
     .gguf_head_pooling = Pooling::last,
     .head_dim = 128,
     .fixed = kUnscaledRope,
     .without_influence = "sliding_window max_window_layers"},
    {.title = "EuroBERT",
     .model_type = "eurobert",
     .gguf = "eurobert",
     .naming = Naming::decoder,
     .prefix = "model.",
     .layers = "layers.",
     .traits = bidirectional_llama(250000),
     .has_head_sizes = true,
     .has_biases = false,
     .fixed = kUnscaledRope,
     .without_influence = "clf_pooling"},
    {.title = "Llama",
     .model_type = "llama_bidirec",
     .gguf = "llama-embed",
     .naming = Naming::decoder,
     .prefix = "model.",
     .layers = "layers.",
     .traits = bidirectional_llama(10000),
     .has_head_sizes = true,
     .has_permuted_qk = true,
     .has_biases = false,
     .fixed = kUnscaledRope,
     .without_influence = "pooling"},
    {.title = "EmbeddingGemma",
     .model_type = "gemma3_text",
     .gguf = "gemma-embedding",
     .naming = Naming::gemma,
     .prefix = "model.",
     .layers = "layers.",
     .keys = kKeysOfGemma,
     .traits = {.activation = Activation::gelu_tanh,
                .rope_freq_base = 1000000,
                .local_rope_freq_base = 10000,
                .sliding_window = 4096,
                .norm_eps = 1e-6,
                .qk_norm = QkNorm::per_head,
                .block = {.norms = NormPlacement::around},
                .is_causal = false},
     .has_head_sizes = true,
     .has_norm_offset = true,
     .has_biases = false,
     .has_scaled_embeddings = true,
     .full_attention_interval = 6,
     .window_key = "sliding_window",
     .interval_key = "sliding_window_pattern",
     .head_dim = 256,
     .query_pre_attn_scalar = 256,
     .fixed = kFixedInGemma,
     .without_influence = "hidden_act final_logit_softcapping"},
    {.title = "EmbeddingGemma 2",
     .model_type = "embedding_gemma2_text",
     .naming = Naming::gemma2,
     .prefix = "language_model.",
     .layers = "layers.",
     .keys = kKeysOfGemma2,
     .traits = {.activation = Activation::gelu_tanh,
                .rope_freq_base = 1000000,
                .local_rope_freq_base = 10000,
                .sliding_window = 1024,
                .layer_input_width = 512,
                .norm_eps = 1e-6,
                .qk_norm = QkNorm::per_head,
                .attention_scale = 1,
                .block = {.norms = NormPlacement::around, .has_value_norm = true},
                .is_causal = false},
     .has_head_sizes = true,
     .has_biases = false,
     .has_scaled_embeddings = true,
     .full_attention_interval = 6,
     .has_window_radius = true,
     .has_layer_kinds = true,
     .window_key = "sliding_window",
     .interval_key = "sliding_window_pattern",
     .head_dim = 256,
     .fixed = kFixedInGemma,
     .without_influence = "hidden_act"},
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

}  // namespace quintet::encoder
