#include "architectures/encoder/families.h"

#include <algorithm>
#include <iterator>

#include "base/flag_list.h"

namespace quintet::encoder {
namespace {

constexpr FixedField kAbsolute[] = {{"position_embedding_type", R"("absolute")"}};
constexpr FixedField kFixedInJina[] = {{"position_embedding_type", R"("alibi")"}, {"feed_forward_type", R"("geglu")"}};
constexpr FixedField kFixedInMpnet[] = {{"relative_attention_num_buckets", "32"}};
constexpr FixedField kFixedInNomic[] = {
    {"activation_function", R"("swiglu")"}, {"rotary_emb_fraction", "1"}, {"scale_attn_weights", "true"}};
constexpr FixedField kFixedInGte[] = {{"position_embedding_type", R"("rope")"}, {"layer_norm_type", R"("layer_norm")"}};
constexpr FixedField kUnscaledRope[] = {{"rope_scaling", "null"}};
constexpr FixedField kFixedInGemma[] = {{"use_bidirectional_attention", "true"}};

// One network under several names.
constexpr Family roberta(std::string_view title, std::string_view model_type) {
  return {.title = title,
          .model_type = model_type,
          .naming = Naming::roberta,
          .prefix = "roberta.",
          .traits = {.layer_norm_epsilon = 1e-5F},
          .has_padding_offset = true,
          .fixed = kAbsolute};
}
constexpr Family gte(std::string_view model_type) {
  return {.title = "GTE v1.5",
          .model_type = model_type,
          .naming = Naming::gte,
          .prefix = "new.",
          .traits = {.is_gated = true, .has_position_embeddings = false, .rope_base = 10000},
          .has_biases = false,
          .rope_key = "rope_theta",
          .fixed = kFixedInGte,
          .without_influence = "pack_qkv logn_attention_clip1"};
}

// Llama's blocks without the causal mask.
constexpr EncoderTraits bidirectional_llama(double rope_base) {
  return {.layer_norm_epsilon = 1e-5F,
          .has_rms_norm = true,
          .activation = Activation::silu,
          .is_gated = true,
          .has_pre_norm = true,
          .has_token_types = false,
          .has_position_embeddings = false,
          .rope_base = rope_base};
}

constexpr Family kFamilies[] = {
    {.title = "BERT",
     .model_type = "bert",
     .gguf = "bert",
     .prefix = "bert.",
     .fixed = kAbsolute,
     .without_influence = "directionality pooler_*"},
    {.title = "JinaBERT v2",
     .model_type = "jina_bert",
     .gguf = "jina-bert-v2",
     .declared_as = "bert",
     .position_type = "alibi",
     .naming = Naming::jina,
     .prefix = "bert.",
     .traits = {.is_gated = true, .has_position_embeddings = false, .has_alibi = true},
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
     .traits = {.layer_norm_epsilon = 1e-5F, .has_position_embeddings = false, .rope_base = 10000},
     .rope_key = "rotary_emb_base",
     .without_influence = "emb_pooler position_embedding_type"},
    {.title = "ELECTRA",
     .model_type = "electra",
     .naming = Naming::electra,
     .prefix = "electra.",
     .head = {.activation = DenseActivation::gelu},
     .embedding_key = "embedding_size",
     .fixed = kAbsolute,
     .without_influence = "summary_*"},
    {.title = "DistilBERT",
     .model_type = "distilbert",
     .naming = Naming::distilbert,
     .prefix = "distilbert.",
     .layers = "transformer.layer.",
     .keys = {.hidden = "dim",
              .layers = "n_layers",
              .heads = "n_heads",
              .intermediate = "hidden_dim",
              .layer_norm_epsilon = {},
              .activation = "activation"},
     .traits = {.has_token_types = false},
     .head = {.activation = DenseActivation::relu},
     .without_influence = "sinusoidal_pos_embds"},
    {.title = "MPNet",
     .model_type = "mpnet",
     .naming = Naming::mpnet,
     .prefix = "mpnet.",
     .traits = {.has_token_types = false, .distance_buckets = 32},
     .has_padding_offset = true,
     .fixed = kFixedInMpnet},
    {.title = "NomicBERT",
     .model_type = "nomic_bert",
     .gguf = "nomic-bert",
     .naming = Naming::nomic,
     .prefix = "bert.",
     .layers = "encoder.layers.",
     .keys = {.hidden = "n_embd",
              .layers = "n_layer",
              .heads = "n_head",
              .intermediate = "n_inner",
              .max_positions = "n_positions",
              .layer_norm_epsilon = "layer_norm_epsilon",
              .activation = "activation_function"},
     .glu = "swiglu",
     .traits = {.activation = Activation::silu, .is_gated = true, .has_position_embeddings = false, .rope_base = 10000},
     .has_biases = false,
     .rope_key = "rotary_emb_base",
     .fixed = kFixedInNomic,
     .without_influence = "dense_seq_output reorder_and_upcast_attn max_trained_positions hidden_size "
                          "num_hidden_layers num_attention_heads intermediate_size max_position_embeddings hidden_act "
                          "layer_norm_eps head_dim"},
    {.title = "ModernBERT",
     .model_type = "modernbert",
     .gguf = "modern-bert",
     .naming = Naming::modernbert,
     .prefix = "model.",
     .layers = "layers.",
     .keys = {.layer_norm_epsilon = "norm_eps", .activation = "hidden_activation"},
     .traits = {.layer_norm_epsilon = 1e-5F,
                .is_gated = true,
                .has_pre_norm = true,
                .has_token_types = false,
                .has_position_embeddings = false,
                .rope_base = 160000,
                .local_rope_base = 10000,
                .window = 64,
                .full_attention_interval = 3},
     .has_biases = false,
     .head = {.activation = DenseActivation::gelu},
     .gguf_head_pooling = Pooling::mean,
     .rope_key = "global_rope_theta",
     .local_rope_key = "local_rope_theta",
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
     .keys = {.layer_norm_epsilon = "rms_norm_eps"},
     .traits = {.layer_norm_epsilon = 1e-6F,
                .has_rms_norm = true,
                .activation = Activation::silu,
                .is_gated = true,
                .has_pre_norm = true,
                .has_token_types = false,
                .has_position_embeddings = false,
                .rope_base = 10000,
                .is_causal = true},
     .has_query_norms = true,
     .has_head_sizes = true,
     .has_biases = false,
     .head = {.labels = 2},
     .gguf_head_pooling = Pooling::last,
     .rope_key = "rope_theta",
     .head_width = 128,
     .fixed = kUnscaledRope,
     .without_influence = "sliding_window max_window_layers"},
    {.title = "EuroBERT",
     .model_type = "eurobert",
     .gguf = "eurobert",
     .naming = Naming::decoder,
     .prefix = "model.",
     .layers = "layers.",
     .keys = {.layer_norm_epsilon = "rms_norm_eps"},
     .traits = bidirectional_llama(250000),
     .has_head_sizes = true,
     .has_biases = false,
     .rope_key = "rope_theta",
     .fixed = kUnscaledRope,
     .without_influence = "clf_pooling"},
    {.title = "Llama",
     .model_type = "llama_bidirec",
     .gguf = "llama-embed",
     .naming = Naming::decoder,
     .prefix = "model.",
     .layers = "layers.",
     .keys = {.layer_norm_epsilon = "rms_norm_eps"},
     .traits = bidirectional_llama(10000),
     .has_head_sizes = true,
     .has_permuted_qk = true,
     .has_biases = false,
     .rope_key = "rope_theta",
     .fixed = kUnscaledRope,
     .without_influence = "pooling"},
    {.title = "EmbeddingGemma",
     .model_type = "gemma3_text",
     .gguf = "gemma-embedding",
     .naming = Naming::gemma,
     .prefix = "model.",
     .layers = "layers.",
     .keys = {.layer_norm_epsilon = "rms_norm_eps", .activation = "hidden_activation"},
     .traits = {.layer_norm_epsilon = 1e-6F,
                .has_rms_norm = true,
                .activation = Activation::gelu_tanh,
                .is_gated = true,
                .has_pre_norm = true,
                .has_branch_norms = true,
                .has_token_types = false,
                .has_scaled_embeddings = true,
                .has_position_embeddings = false,
                .rope_base = 1000000,
                .local_rope_base = 10000,
                .window = 2048,
                .full_attention_interval = 6,
                .full_attention_is_last = true},
     .has_query_norms = true,
     .has_head_sizes = true,
     .has_norm_offset = true,
     .has_biases = false,
     .rope_key = "rope_theta",
     .local_rope_key = "rope_local_base_freq",
     .window_key = "sliding_window",
     .interval_key = "sliding_window_pattern",
     .head_width = 256,
     .query_pre_attn_scalar = 256,
     .fixed = kFixedInGemma,
     .without_influence = "hidden_act final_logit_softcapping"},
};

const Family* found(const Family* family) { return family == std::end(kFamilies) ? nullptr : family; }

std::string listed(std::string_view Family::* name) {
  std::string text;
  for (const Family& family : kFamilies) {
    if (!(family.*name).empty()) text += formatted("{}{}", text.empty() ? "" : ", ", family.*name);
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

EncoderConfig config_of(const Family& family) {
  EncoderConfig config;
  static_cast<EncoderTraits&>(config) = family.traits;
  config.model_type = family.model_type;
  return config;
}

bool set_full_attention_layers(const FlagList& is_full, EncoderConfig& config) {
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
