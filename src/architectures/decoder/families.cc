#include "architectures/decoder/families.h"

#include <algorithm>
#include <iterator>

namespace quintet::decoder {
namespace {

// Fields that newer files have under other names.
constexpr std::string_view kOldGemma = "hidden_act sliding_window_pattern";

constexpr Family kFamilies[] = {
    {.title = "Llama",
     .model_type = "llama",
     .gguf = "llama",
     .has_permuted_qk = true,
     .without_influence = "is_llama_config"},
    {.title = "Mistral",
     .model_type = "mistral",
     .max_seq_len = 4096 * 32,
     .window = WindowRule::always,
     .sliding_window = 4096},
    {.title = "Ministral 3",
     .model_type = "ministral3",
     .gguf = "mistral3",
     .has_permuted_qk = true,
     .has_yarn = true,
     .max_seq_len = 262144,
     .head_dim = 128,
     .window = WindowRule::always,
     .norm_eps = 1e-5,
     .rope_freq_base = 1000000},
    {.title = "Phi-2",
     .model_type = "phi",
     .gguf = "phi2",
     .naming = Naming::phi2,
     .traits = {.activation = Activation::gelu_tanh, .block = {.is_gated = false, .is_parallel = true}},
     .has_layer_norm = true,
     .norm_eps_key = "layer_norm_eps",
     .rotated_part = 0.5,
     .norm_eps = 1e-5},
    {.title = "Phi-3",
     .model_type = "phi3",
     .gguf = "phi3",
     .naming = Naming::phi3,
     .max_seq_len = 4096,
     .window = WindowRule::always,
     .norm_eps = 1e-5,
     .without_influence = "full_attn_mod interpolate_factor"},
    {.title = "Qwen2",
     .model_type = "qwen2",
     .gguf = "qwen2",
     .has_qkv_bias = true,
     .max_seq_len = 32768,
     .window = WindowRule::if_used,
     .without_influence = "dual_chunk_attention_config"},
    {.title = "Qwen3",
     .model_type = "qwen3",
     .gguf = "qwen3",
     .traits = {.qk_norm = QkNorm::per_head},
     .max_seq_len = 32768,
     .head_dim = 128,
     .window = WindowRule::if_used},
    {.title = "OLMo 2",
     .model_type = "olmo2",
     .gguf = "olmo2",
     .naming = Naming::olmo2,
     .traits = {.qk_norm = QkNorm::per_row, .block = {.norms = NormPlacement::after}},
     .norm_eps = 1e-5},
    {.title = "Gemma",
     .model_type = "gemma",
     .gguf = "gemma",
     .traits = {.activation = Activation::gelu_tanh, .has_norm_offset = true},
     .has_scaled_embeddings = true,
     .has_softcaps = true,
     .activation_key = "hidden_activation",
     .tie_embeddings = true,
     .max_seq_len = 8192,
     .head_dim = 256,
     .without_influence = kOldGemma},
    {.title = "Gemma 2",
     .model_type = "gemma2",
     .gguf = "gemma2",
     .naming = Naming::gemma2,
     .traits = {.activation = Activation::gelu_tanh,
                .attention_softcap = 50,
                .logit_softcap = 30,
                .has_norm_offset = true,
                .block = {.norms = NormPlacement::around}},
     .has_scaled_embeddings = true,
     .has_softcaps = true,
     .full_attention_interval = 2,
     .layers_of_27b = 46,
     .activation_key = "hidden_activation",
     .tie_embeddings = true,
     .max_seq_len = 8192,
     .head_dim = 256,
     .window = WindowRule::always,
     .sliding_window = 4096,
     .query_pre_attn_scalar = 256,
     .without_influence = kOldGemma},
    {.title = "Gemma 3",
     .model_type = "gemma3_text",
     .gguf = "gemma3",
     .naming = Naming::gemma2,
     .traits = {.activation = Activation::gelu_tanh,
                .local_rope_freq_base = 10000,
                .qk_norm = QkNorm::per_head,
                .has_norm_offset = true,
                .block = {.norms = NormPlacement::around}},
     .has_scaled_embeddings = true,
     .has_softcaps = true,
     .full_attention_interval = 6,
     .layers_of_27b = 62,
     .activation_key = "hidden_activation",
     .tie_embeddings = true,
     .max_seq_len = 131072,
     .head_dim = 256,
     .window = WindowRule::always,
     .sliding_window = 4096,
     .rope_freq_base = 1000000,
     .query_pre_attn_scalar = 256,
     .without_influence = kOldGemma},
    {.title = "SmolLM3",
     .model_type = "smollm3",
     .gguf = "smollm3",
     .has_permuted_qk = true,
     .no_rope_interval = 4,
     .tie_embeddings = true,
     .max_seq_len = 32768,
     .window = WindowRule::if_used,
     .rope_freq_base = 2000000},
    {.title = "Granite 3",
     .model_type = "granite",
     .gguf = "granite",
     .has_permuted_qk = true,
     .has_multipliers = true},
    {.title = "StableLM 2",
     .model_type = "stablelm",
     .gguf = "stablelm",
     .has_layer_norm = true,
     .norm_eps_key = "layer_norm_eps",
     .max_seq_len = 4096,
     .rotated_part = 0.25,
     .norm_eps = 1e-5},
    {.title = "LFM2",
     .model_type = "lfm2",
     .gguf = "lfm2",
     .naming = Naming::lfm2,
     .traits = {.qk_norm = QkNorm::per_head},
     .has_convolutions = true,
     .norm_eps_key = "norm_eps",
     .tie_embeddings = true,
     .max_seq_len = 128000,
     .norm_eps = 1e-5,
     .rope_freq_base = 1000000,
     .without_influence = "intermediate_size block_* conv_dim* conv_use_xavier_init full_attn_idxs num_heads "
                          "use_pos_enc"},
};

const Family* found(const Family* family) { return family == std::end(kFamilies) ? nullptr : family; }

std::string listed(std::string_view Family::* name) {
  std::string text;
  for (const Family& family : kFamilies) {
    if (!(family.*name).empty()) text += (text.empty() ? "" : ", ") + std::string(family.*name);
  }
  return text;
}

}  // namespace

const Family* family_of_model_type(std::string_view model_type) {
  return found(std::ranges::find(kFamilies, model_type, &Family::model_type));
}

const Family* family_of_gguf(std::string_view architecture) {
  return architecture.empty() ? nullptr : found(std::ranges::find(kFamilies, architecture, &Family::gguf));
}

std::string supported_model_types() { return listed(&Family::model_type); }
std::string supported_gguf_architectures() { return listed(&Family::gguf); }

std::span<const Family> families() { return kFamilies; }

}  // namespace quintet::decoder
