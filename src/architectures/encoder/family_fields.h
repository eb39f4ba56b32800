#pragma once
// Fields that single families have in their own way: keys of config.json, values that are the only ones supported, and
// fields that nothing is computed from.

#include <string_view>

#include "architectures/encoder/config.h"
#include "architectures/transformer/traits.h"
#include "formats/known_fields.h"

namespace quintet::encoder {

using transformer::TraitKey;
using Config = EncoderConfig;

inline constexpr FixedField kAbsolute[] = {{"position_embedding_type", R"("absolute")"}};
inline constexpr FixedField kFixedInJina[] = {{"position_embedding_type", R"("alibi")"},
                                              {"feed_forward_type", R"("geglu")"}};
inline constexpr FixedField kFixedInMpnet[] = {{"relative_attention_num_buckets", "32"}};
inline constexpr FixedField kFixedInNomic[] = {
    {"activation_function", R"("swiglu")"}, {"rotary_emb_fraction", "1"}, {"scale_attn_weights", "true"}};
inline constexpr FixedField kFixedInNomicMoe[] = {
    {"activation_function", R"("gelu")"},      {"rotary_emb_fraction", "1"},      {"scale_attn_weights", "true"},
    {"moe_normalize_expert_weights", "false"}, {"expert_choice_router", "false"}, {"ffn_div", "1"}};
inline constexpr FixedField kFixedInGte[] = {{"position_embedding_type", R"("rope")"},
                                             {"layer_norm_type", R"("layer_norm")"}};
inline constexpr FixedField kWholeHeads[] = {{"partial_rotary_factor", "1"}};
inline constexpr FixedField kFixedInRope[] = {{"partial_rotary_factor", "1"}, {"truncate", "true"}};
inline constexpr FixedField kFixedInLfm2[] = {
    {"conv_bias", "false"}, {"conv_zero_padding", "false"}, {"block_ffn_dim_multiplier", "1"}};
inline constexpr FixedField kFixedInGemma[] = {{"use_bidirectional_attention", "true"}};

// Version 1 has other tensors, and the largest models of version 2 a convolution.
inline constexpr FixedField kFixedInDeberta[] = {
    {"relative_attention", "true"},     {"pos_att_type", R"(["p2c","c2p"] ["c2p","p2c"] "p2c|c2p" "c2p|p2c")"},
    {"share_att_key", "true"},          {"norm_rel_ebd", R"("layer_norm")"},
    {"position_biased_input", "false"}, {"type_vocab_size", "0"},
    {"conv_kernel_size", "0"},          {"pooler_hidden_act", R"("gelu")"}};

inline constexpr TraitKey kKeysOfElectra[] = {{&Config::embedding_width, "embedding_size"}};
inline constexpr TraitKey kKeysOfDeberta[] = {{&Config::relative_buckets, "position_buckets"}};
inline constexpr TraitKey kKeysOfDistilBert[] = {{&Config::n_embd, "dim"},      {&Config::n_layers, "n_layers"},
                                                 {&Config::n_heads, "n_heads"}, {&Config::n_ff, "hidden_dim"},
                                                 {&Config::norm_eps, ""},       {&Config::activation, "activation"}};
inline constexpr TraitKey kKeysOfNomic[] = {{&Config::n_embd, "n_embd"},
                                            {&Config::n_layers, "n_layer"},
                                            {&Config::n_heads, "n_head"},
                                            {&Config::n_ff, "n_inner"},
                                            {&Config::max_seq_len, "n_positions"},
                                            {&Config::norm_eps, "layer_norm_epsilon"},
                                            {&Config::activation, ""},
                                            {&Config::rope_freq_base, "rotary_emb_base"}};
inline constexpr TraitKey kKeysOfNomicMoe[] = {{&Config::n_embd, "n_embd"},
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
inline constexpr TraitKey kKeysOfJinaV3[] = {{&Config::rope_freq_base, "rotary_emb_base"}};
inline constexpr TraitKey kKeysOfModernBert[] = {{&Config::norm_eps, "norm_eps"},
                                                 {&Config::activation, "hidden_activation"},
                                                 {&Config::rope_freq_base, "global_rope_theta"},
                                                 {&Config::local_rope_freq_base, "local_rope_theta"}};
inline constexpr TraitKey kKeysOfLfm2[] = {{&Config::norm_eps, "norm_eps"},
                                           {&Config::convolution_length, "conv_L_cache"}};
inline constexpr TraitKey kKeysOfGemma[] = {{&Config::activation, "hidden_activation"}};
inline constexpr TraitKey kKeysOfGemma2[] = {{&Config::activation, "hidden_activation"},
                                             {&Config::layer_input_width, "hidden_size_per_layer_input"}};

// The end of the decoder's list, so that the linker keeps the text once.
inline constexpr std::string_view kIgnoredInLfm2 =
    "disable_flash* block_* conv_dim* conv_use_xavier_init full_attn_idxs num_heads use_pos_enc";
inline constexpr std::string_view kIgnoredInDecoders =
    "is_llama_config sliding_window max_window_layers original_max_position_embeddings full_attn_mod "
    "interpolate_factor";
inline constexpr std::string_view kIgnoredInNomic =
    "dense_seq_output reorder_and_upcast_attn max_trained_positions hidden_size num_hidden_layers num_attention_heads "
    "intermediate_size max_position_embeddings hidden_act layer_norm_eps head_dim moe_impl router_aux_loss_coef";

}  // namespace quintet::encoder
