#include "architectures/encoder/families.h"

#include <algorithm>
#include <iterator>

namespace quintet::encoder {
namespace {

// One network under several names.
constexpr Family roberta(std::string_view title, std::string_view model_type) {
  return {.title = title,
          .model_type = model_type,
          .naming = Naming::roberta,
          .prefix = "roberta.",
          .has_padding_offset = true,
          .layer_norm_epsilon = 1e-5};
}
constexpr Family gte(std::string_view model_type) {
  return {.title = "GTE v1.5",
          .model_type = model_type,
          .naming = Naming::gte,
          .prefix = "new.",
          .is_gated = true,
          .has_biases = false,
          .has_position_embeddings = false,
          .rope_key = "rope_theta",
          .rope_base = 10000,
          .without_influence = "pack_qkv logn_attention_clip1"};
}

constexpr Family kFamilies[] = {
    {.title = "BERT",
     .model_type = "bert",
     .gguf = "bert",
     .prefix = "bert.",
     .without_influence = "directionality pooler_*"},
    {.title = "JinaBERT v2",
     .model_type = "jina_bert",
     .gguf = "jina-bert-v2",
     .declared_as = "bert",
     .position_type = "alibi",
     .naming = Naming::jina,
     .prefix = "bert.",
     .is_gated = true,
     .has_biases = false,
     .has_position_embeddings = false,
     .has_alibi = true,
     .without_influence = "emb_pooler"},
    roberta("RoBERTa", "roberta"),
    roberta("XLM-RoBERTa", "xlm-roberta"),
    roberta("CamemBERT", "camembert"),
    {.title = "DistilBERT",
     .model_type = "distilbert",
     .naming = Naming::distilbert,
     .prefix = "distilbert.",
     .keys = {.hidden = "dim",
              .layers = "n_layers",
              .heads = "n_heads",
              .intermediate = "hidden_dim",
              .layer_norm_epsilon = {},
              .activation = "activation"},
     .has_token_types = false,
     .head = {.activation = DenseActivation::relu},
     .without_influence = "sinusoidal_pos_embds"},
    {.title = "MPNet",
     .model_type = "mpnet",
     .naming = Naming::mpnet,
     .prefix = "mpnet.",
     .has_token_types = false,
     .has_padding_offset = true,
     .distance_buckets = 32},
    {.title = "NomicBERT",
     .model_type = "nomic_bert",
     .gguf = "nomic-bert",
     .naming = Naming::nomic,
     .prefix = "bert.",
     .keys = {.hidden = "n_embd",
              .layers = "n_layer",
              .heads = "n_head",
              .intermediate = "n_inner",
              .max_positions = "n_positions",
              .layer_norm_epsilon = "layer_norm_epsilon",
              .activation = "activation_function"},
     .glu = "swiglu",
     .is_gated = true,
     .has_biases = false,
     .has_position_embeddings = false,
     .activation = Activation::silu,
     .rope_key = "rotary_emb_base",
     .rope_base = 10000,
     .without_influence = "dense_seq_output reorder_and_upcast_attn max_trained_positions hidden_size "
                          "num_hidden_layers num_attention_heads intermediate_size max_position_embeddings hidden_act "
                          "layer_norm_eps head_dim"},
    {.title = "ModernBERT",
     .model_type = "modernbert",
     .gguf = "modern-bert",
     .naming = Naming::modernbert,
     .prefix = "model.",
     .keys = {.layer_norm_epsilon = "norm_eps", .activation = "hidden_activation"},
     .is_gated = true,
     .has_pre_norm = true,
     .has_biases = false,
     .has_token_types = false,
     .has_position_embeddings = false,
     .head = {.activation = DenseActivation::gelu},
     .gguf_head_pooling = Pooling::mean,
     .layer_norm_epsilon = 1e-5,
     .rope_key = "global_rope_theta",
     .rope_base = 160000,
     .local_rope_key = "local_rope_theta",
     .local_rope_base = 10000,
     .window_key = "local_attention",
     .window_width = 128,
     .interval_key = "global_attn_every_n_layers",
     .full_attention_interval = 3,
     .without_influence = "position_embedding_type layer_norm_eps deterministic_flash_attn sparse_pred* "
                          "reference_compile repad_logits_with_grad"},
    gte("new"),
    gte("gte"),
    {.title = "Qwen3",
     .model_type = "qwen3",
     .gguf = "qwen3",
     .naming = Naming::decoder,
     .prefix = "model.",
     .keys = {.layer_norm_epsilon = "rms_norm_eps"},
     .is_gated = true,
     .has_pre_norm = true,
     .has_rms_norm = true,
     .has_head_sizes = true,
     .is_causal = true,
     .has_biases = false,
     .has_token_types = false,
     .has_position_embeddings = false,
     .head = {.labels = 2},
     .gguf_head_pooling = Pooling::last,
     .activation = Activation::silu,
     .layer_norm_epsilon = 1e-6,
     .rope_key = "rope_theta",
     .rope_base = 10000,
     .head_width = 128,
     .without_influence = "sliding_window max_window_layers"},
    {.title = "EmbeddingGemma",
     .model_type = "gemma3_text",
     .gguf = "gemma-embedding",
     .naming = Naming::gemma,
     .prefix = "model.",
     .keys = {.layer_norm_epsilon = "rms_norm_eps", .activation = "hidden_activation"},
     .is_gated = true,
     .has_pre_norm = true,
     .has_branch_norms = true,
     .has_rms_norm = true,
     .has_head_sizes = true,
     .has_norm_offset = true,
     .has_scaled_embeddings = true,
     .has_biases = false,
     .has_token_types = false,
     .has_position_embeddings = false,
     .activation = Activation::gelu_tanh,
     .layer_norm_epsilon = 1e-6,
     .rope_key = "rope_theta",
     .rope_base = 1000000,
     .local_rope_key = "rope_local_base_freq",
     .local_rope_base = 10000,
     .window_key = "sliding_window",
     .window_width = 4096,
     .interval_key = "sliding_window_pattern",
     .full_attention_interval = 6,
     .full_attention_is_last = true,
     .head_width = 256,
     .query_pre_attn_scalar = 256,
     .without_influence = "hidden_act final_logit_softcapping"},
};

const Family* found(const Family* family) { return family == std::end(kFamilies) ? nullptr : family; }

std::string listed(std::string_view Family::* name) {
  std::string text;
  for (const Family& family : kFamilies) {
    if (!(family.*name).empty()) text += (text.empty() ? "" : ", ") + std::string(family.*name);
  }
  return text;
}

std::string_view text_of(const Json& config, std::string_view key) {
  const Json* value = config.find(key);
  return value && value->as_string() ? std::string_view(*value->as_string()) : std::string_view();
}

const Family* family_of_model_type(std::string_view model_type) {
  return found(std::ranges::find(kFamilies, model_type, &Family::model_type));
}

}  // namespace

const Family* family_of_config(const Json& config) {
  const std::string_view type = config.find("model_type") ? text_of(config, "model_type") : "bert";
  const std::string_view position_type = text_of(config, "position_embedding_type");
  const auto declared = std::ranges::find_if(kFamilies, [=](const Family& family) {
    return family.declared_as == type && family.position_type == position_type;
  });
  return declared == std::end(kFamilies) ? family_of_model_type(type) : declared;
}

const Family* family_of_gguf(std::string_view architecture) {
  return architecture.empty() ? nullptr : found(std::ranges::find(kFamilies, architecture, &Family::gguf));
}

const Family& family_of(const EncoderConfig& config) { return *family_of_model_type(config.model_type); }

EncoderConfig structure_of(const Family& family) {
  EncoderConfig config;
  config.model_type = family.model_type;
  config.layer_norm_epsilon = static_cast<float>(family.layer_norm_epsilon);
  config.activation = family.activation;
  config.is_gated = family.is_gated;
  config.has_pre_norm = family.has_pre_norm;
  config.has_branch_norms = family.has_branch_norms;
  config.has_rms_norm = family.has_rms_norm;
  config.is_causal = family.is_causal;
  config.has_scaled_embeddings = family.has_scaled_embeddings;
  config.has_token_types = family.has_token_types;
  config.has_position_embeddings = family.has_position_embeddings;
  config.rope_base = family.rope_base;
  config.local_rope_base = family.local_rope_base;
  config.has_alibi = family.has_alibi;
  config.distance_buckets = family.distance_buckets;
  config.window = static_cast<size_t>(family.window_width / 2);
  config.full_attention_interval = static_cast<size_t>(family.full_attention_interval);
  config.full_attention_is_last = family.full_attention_is_last;
  return config;
}

bool set_full_attention_layers(const std::vector<bool>& is_full, EncoderConfig& config) {
  if (is_full.size() != config.layers) return false;
  const ptrdiff_t skipped = config.full_attention_is_last ? 0 : 1;
  const auto full = std::find(is_full.begin() + skipped, is_full.end(), true);
  config.full_attention_interval = static_cast<size_t>(full - is_full.begin() + 1 - skipped);
  for (size_t layer = 0; layer < is_full.size(); ++layer) {
    if (is_full[layer] != config.is_full_attention(layer)) return false;
  }
  return true;
}

std::string supported_model_types() { return listed(&Family::model_type); }
std::string supported_gguf_architectures() { return listed(&Family::gguf); }

std::span<const Family> families() { return kFamilies; }

}  // namespace quintet::encoder
