// config.json of decoders: what transformers leaves out, and what is not computed.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "architectures/decoder/config.h"
#include "architectures/decoder/quantization_config.h"

namespace quintet::test {
namespace {

constexpr std::string_view kSizes = R"("vocab_size":320,"hidden_size":64,"intermediate_size":128,"num_hidden_layers":2,
    "num_attention_heads":4)";

Result<DecoderConfig> read(std::string_view model_type, std::string_view more = "") {
  auto json = parse_json(R"({"model_type":")" + std::string(model_type) + "\"," + std::string(kSizes) +
                         (more.empty() ? "" : ",") + std::string(more) + "}");
  EXPECT_TRUE(json) << more;
  return read_huggingface_config(*json);
}

TEST(HuggingFaceConfig, Llama) {
  const auto config = read("llama");
  ASSERT_TRUE(config) << config.error().detail;
  DecoderConfig expected = {{{.n_vocab = 320,
                              .n_embd = 64,
                              .n_layers = 2,
                              .n_heads = 4,
                              .n_kv_heads = 4,
                              .head_dim = 16,
                              .n_ff = 128,
                              .max_seq_len = 2048,
                              .is_rope = true,
                              .activation = Activation::silu,
                              .rope_freq_base = 10000,
                              .rope_scaling = 1,
                              .rope_dim = 16,
                              .sliding_window = 0,
                              .norm_eps = 1e-6,
                              .tie_embeddings = false}}};
  expected.architecture = "llama";
  EXPECT_EQ(*config, expected);
  EXPECT_EQ(*read("llama", R"("num_key_value_heads":null,"head_dim":null,"rope_scaling":null,"sliding_window":7)"),
            expected);
}

TEST(HuggingFaceConfig, MixturesOfExperts) {
  const auto config = read("qwen3_moe", R"("num_experts":8,"num_experts_per_tok":3,"moe_intermediate_size":16,
      "norm_topk_prob":true,"decoder_sparse_step":1,"mlp_only_layers":[])");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->n_experts, 8u);
  EXPECT_EQ(config->n_experts_used, 3u);
  EXPECT_EQ(config->expert_ff, 16u);
  EXPECT_TRUE(config->has_normalized_router);
  EXPECT_TRUE(config->has_experts(0));
  for (const std::string_view wrong :
       {R"("num_experts":8)", R"("num_experts":8,"num_experts_per_tok":9)",
        R"("num_experts":8,"num_experts_per_tok":0)", R"("num_experts":4097,"num_experts_per_tok":2)",
        R"("num_experts":-1,"num_experts_per_tok":2)",
        R"("num_experts":8,"num_experts_per_tok":2,"mlp_only_layers":[1])",
        R"("num_experts":8,"num_experts_per_tok":2,"decoder_sparse_step":2)",
        R"("num_experts":8,"num_experts_per_tok":2,"moe_intermediate_size":1099511627776)"}) {
    EXPECT_FALSE(read("qwen3_moe", wrong)) << wrong;
  }
}

TEST(HuggingFaceConfig, OverridesDefaults) {
  const auto config = read("llama", R"("num_key_value_heads":2,"head_dim":32,"max_position_embeddings":512,
      "rope_theta":500000,"rms_norm_eps":1e-05,"tie_word_embeddings":true,"hidden_act":"gelu_pytorch_tanh",
      "rope_scaling":{"type":"linear","factor":4.0})");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->n_kv_heads, 2u);
  EXPECT_EQ(config->head_dim, 32u);
  EXPECT_EQ(config->rope_dim, 32u);
  EXPECT_EQ(config->max_seq_len, 512u);
  EXPECT_EQ(config->rope_freq_base, 500000);
  EXPECT_EQ(config->rope_scaling, 4);
  EXPECT_EQ(config->norm_eps, 1e-5);
  EXPECT_EQ(config->tie_embeddings, true);
  EXPECT_EQ(config->activation, Activation::gelu_tanh);
}

TEST(HuggingFaceConfig, MistralHasAWindowUnlessItSaysNull) {
  EXPECT_EQ(read("mistral")->sliding_window, 4096u);
  EXPECT_EQ(read("mistral", R"("sliding_window":null)")->sliding_window, 0u);
  EXPECT_EQ(read("mistral", R"("sliding_window":64)")->sliding_window, 64u);
  EXPECT_EQ(read("mistral")->max_seq_len, 131072u);
}

TEST(HuggingFaceConfig, Phi2) {
  const auto config = read_huggingface_config(*parse_json(R"({"model_type":"phi","vocab_size":51200,"hidden_size":2560,
      "intermediate_size":10240,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":32,
      "partial_rotary_factor":0.4,"layer_norm_eps":1e-05,"hidden_act":"gelu_new","qk_layernorm":false,
      "max_position_embeddings":2048,"rope_scaling":null,"rope_theta":10000.0,"tie_word_embeddings":false})"));
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->head_dim, 80u);
  EXPECT_EQ(config->rope_dim, 32u);
  EXPECT_EQ(config->activation, Activation::gelu_tanh);
  EXPECT_EQ(read("phi")->rope_dim, 8u);  // half of it by default
  EXPECT_EQ(read("phi")->activation, Activation::gelu_tanh);
}

TEST(HuggingFaceConfig, Phi3) {
  const auto config =
      read("phi3", R"("sliding_window":2047,"rms_norm_eps":1e-05,"original_max_position_embeddings":4096)");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->sliding_window, 2047u);
  EXPECT_EQ(config->max_seq_len, 4096u);
  EXPECT_EQ(config->rope_dim, 16u);
  EXPECT_EQ(read("phi3", R"("partial_rotary_factor":0.75)")->rope_dim, 12u);
}

TEST(HuggingFaceConfig, NewerFilesKeepRotationInOneObject) {
  const auto config = read("phi3", R"("rope_parameters":{"rope_type":"linear","factor":2,"rope_theta":1000000.0,
      "partial_rotary_factor":0.5})");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->rope_freq_base, 1000000);
  EXPECT_EQ(config->rope_scaling, 2);
  EXPECT_EQ(config->rope_dim, 8u);
}

TEST(HuggingFaceConfig, LongRopeKnowsItsAttentionFactor) {
  const std::string factors = R"("short_factor":[1,1,1,1,1,1,1,1],"long_factor":[2,2,2,2,2,2,2,2])";
  const std::string lengths = R"("max_position_embeddings":65536,"original_max_position_embeddings":256)";
  for (const char* type : {R"("type":"su")", R"("rope_type":"longrope")"}) {
    const auto config = read("phi3", R"("rope_scaling":{)" + std::string(type) + "," + factors + "}," + lengths);
    ASSERT_TRUE(config) << config.error().detail;
    EXPECT_EQ(config->long_rope->long_factors, std::vector<double>(8, 2));
    EXPECT_EQ(config->long_rope->original_max_seq_len, 256u);
    // The root of 1 + log(256) / log(256).
    EXPECT_DOUBLE_EQ(config->long_rope->attention_factor, 1.4142135623730951);
  }
  EXPECT_FALSE(read("phi3", R"("rope_scaling":{"type":"su",)" + factors + "}"));  // of which length?
}

TEST(HuggingFaceConfig, Yarn) {
  const auto yarn = [](std::string_view model_type, const std::string& more) {
    const auto config =
        read(model_type, R"("max_position_embeddings":64,"rope_scaling":{"type":"yarn","factor":4.0)" + more + "}");
    EXPECT_TRUE(config) << config.error().detail;
    return config ? *config : DecoderConfig{};
  };
  // 0.1 ln 4 + 1.
  constexpr double kGrowth = 1.138629436111989;
  EXPECT_EQ(yarn("qwen2", "").yarn_rope,
            (YarnRope{.factor = 4, .original_max_seq_len = 64, .attention_factor = kGrowth}));
  EXPECT_EQ(
      yarn("qwen3", R"(,"original_max_position_embeddings":16,"attention_factor":1.25,"beta_fast":8,"beta_slow":2)")
          .yarn_rope,
      (YarnRope{.factor = 4, .beta_fast = 8, .beta_slow = 2, .original_max_seq_len = 16, .attention_factor = 1.25}));
  // As in transformers, only both together count.
  EXPECT_EQ(yarn("llama", R"(,"mscale_all_dim":0.5)").yarn_rope->attention_factor, kGrowth);
  EXPECT_DOUBLE_EQ(yarn("llama", R"(,"mscale":2.0,"mscale_all_dim":1.0)").yarn_rope->attention_factor,
                   1.277258872223978 / kGrowth);
}

TEST(HuggingFaceConfig, MinistralHasATemperatureOfAttention) {
  const auto config = read("ministral3", R"("rope_parameters":{"rope_type":"yarn","rope_theta":5000.0,"factor":16,
      "original_max_position_embeddings":32,"mscale":1.0,"mscale_all_dim":1.0,"llama_4_scaling_beta":0.1})");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->attention_temperature, 0.1);
  EXPECT_EQ(config->attention_temperature_length, 32U);
  EXPECT_EQ(config->yarn_rope->attention_factor, 1);
  EXPECT_EQ(config->rope_freq_base, 5000);
  const auto without = read("ministral3");
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, Code::unsupported);
  EXPECT_NE(without.error().detail.find("rope_parameters"), std::string::npos) << without.error().detail;
}

TEST(HuggingFaceConfig, WindowsOfLayers) {
  const auto full = [](std::string_view model_type, std::string_view more) {
    const auto config = read(model_type, more);
    EXPECT_TRUE(config) << config.error().detail;
    return config ? config->full_attention_layers : LayerSet{};
  };
  EXPECT_EQ(full("gemma2", ""), (LayerSet{false, true}));
  EXPECT_EQ(full("gemma3_text", R"("sliding_window_pattern":1)"), (LayerSet{true, true}));
  EXPECT_EQ(full("gemma3_text", R"("layer_types":["full_attention","sliding_attention"])"), (LayerSet{true, false}));
  EXPECT_EQ(full("qwen2", R"("use_sliding_window":true,"sliding_window":8,"max_window_layers":1)"),
            (LayerSet{true, false}));
  const auto wrong = read("gemma3_text", R"("layer_types":["full_attention","other"])");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().detail.find("layer_types"), std::string::npos) << wrong.error().detail;
}

TEST(HuggingFaceConfig, LayersWithConvolutions) {
  for (const char* layers : {R"("layer_types":["conv","full_attention"])", R"("full_attn_idxs":[1])"}) {
    const auto config = read("lfm2", layers);
    ASSERT_TRUE(config) << config.error().detail;
    EXPECT_EQ(config->convolution_layers, (LayerSet{true, false}));
    EXPECT_EQ(config->convolution_length, 3u);
    EXPECT_EQ(config->tie_embeddings, true);
    EXPECT_EQ(config->n_ff, 0u);  // from the tensors
  }
  EXPECT_EQ(read("lfm2", R"("full_attn_idxs":[1],"tie_embedding":false)")->tie_embeddings, false);
  EXPECT_EQ(read("lfm2", R"("full_attn_idxs":[0],"conv_L_cache":4)")->convolution_length, 4u);
  EXPECT_FALSE(read("lfm2"));
  EXPECT_FALSE(read("lfm2", R"("full_attn_idxs":[2])"));
  EXPECT_FALSE(read("lfm2", R"("full_attn_idxs":[1],"conv_bias":true)"));
  EXPECT_FALSE(read("lfm2", R"("full_attn_idxs":[1],"conv_L_cache":65)"));
}

TEST(HuggingFaceConfig, LayersWithoutRope) {
  EXPECT_EQ(read("smollm3", R"("no_rope_layer_interval":2)")->no_rope_layers, (LayerSet{false, true}));
  EXPECT_EQ(read("smollm3", R"("no_rope_layers":[0,1])")->no_rope_layers, (LayerSet{true, false}));
  EXPECT_FALSE(read("smollm3", R"("no_rope_layers":[0,1,1])"));
}

TEST(HuggingFaceConfig, ScalesAndSoftCaps) {
  const auto granite = read("granite", R"("embedding_multiplier":12.0,"residual_multiplier":0.22,
      "attention_multiplier":0.015625,"logits_scaling":8.0)");
  ASSERT_TRUE(granite) << granite.error().detail;
  EXPECT_EQ(granite->embedding_scale, 12);
  EXPECT_EQ(granite->residual_scale, 0.22);
  EXPECT_EQ(granite->attention_scale, 0.015625);
  EXPECT_EQ(granite->logit_scale, 8);
  const auto gemma = read("gemma2", R"("query_pre_attn_scalar":144)");
  ASSERT_TRUE(gemma) << gemma.error().detail;
  EXPECT_EQ(gemma->embedding_scale, 8);  // the root of 64
  EXPECT_DOUBLE_EQ(gemma->attention_scale, 1.0 / 12);
  EXPECT_EQ(gemma->attention_softcap, 50);
  EXPECT_EQ(gemma->logit_softcap, 30);
  EXPECT_TRUE(gemma->has_norm_offset);
}

// Others than Granite's and Gemma's classes do not read them.
TEST(HuggingFaceConfig, ScalesOfOtherFamiliesAreUnsupported) {
  for (const char* key : {"embedding_multiplier", "residual_multiplier", "attention_multiplier", "logits_scaling",
                          "final_logit_softcapping", "attn_logit_softcapping"}) {
    const auto config = read("llama", "\"" + std::string(key) + "\":8.0");
    ASSERT_FALSE(config) << key;
    EXPECT_EQ(config.error().code, Code::unsupported);
    EXPECT_NE(config.error().detail.find(key), std::string::npos) << config.error().detail;
    EXPECT_TRUE(read("llama", "\"" + std::string(key) + "\":null"));
  }
}

// The defaults of rope_parameters.setdefault() in transformers' configurations.
TEST(HuggingFaceConfig, TheInnerBaseOverridesTheOuterOne) {
  const char* both = R"("rope_theta":10000.0,"rope_parameters":{"rope_type":"default","rope_theta":500000.0})";
  EXPECT_EQ(read("llama", both)->rope_freq_base, 500000);
  EXPECT_EQ(read("llama", R"("rope_theta":20000.0,"rope_parameters":{"rope_type":"default"})")->rope_freq_base, 20000);
}

TEST(HuggingFaceConfig, UnsupportedFeaturesAreNamed) {
  EXPECT_EQ(read("bloom").error().code, Code::unsupported);
  EXPECT_EQ(read_huggingface_config(Json::object()).error().code, Code::unsupported);
  for (const char* more :
       {R"("rope_scaling":{"rope_type":"yarn","factor":4.0,"truncate":false})",
        R"("rope_scaling":{"type":"dynamic","factor":2.0})", R"("qk_layernorm":true)", R"("hidden_act":"gelu_fast")",
        R"("quantization_config":{"bits":4})", R"("quantization_config":{"quant_method":"hqq"})",
        R"("quantization_config":{"quant_method":"gptq","bits":3})",
        R"("quantization_config":{"quant_method":"gptq","bits":4,"desc_act":true})",
        R"("quantization_config":{"quant_method":"awq","bits":4,"version":"gemv"})",
        R"("quantization_config":{"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized"})",
        R"("quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true,"load_in_8bit":true})"}) {
    const auto config = read("llama", more);
    ASSERT_FALSE(config) << more;
    EXPECT_EQ(config.error().code, Code::unsupported) << more;
    EXPECT_TRUE(config.error().detail.starts_with("config.json: ")) << config.error().detail;
  }
}

TEST(HuggingFaceConfig, ReadsThePackingOfWeights) {
  const auto packing_of = [](const std::string& quantization) {
    return decoder::read_weight_packing(*parse_json(R"({"quantization_config":)" + quantization + "}"));
  };
  EXPECT_FALSE(decoder::read_weight_packing(Json::object())->has_value());
  const auto gptq = packing_of(R"({"quant_method":"gptq","bits":4,"group_size":128,"sym":false,"desc_act":false})");
  ASSERT_TRUE(gptq && *gptq);
  EXPECT_EQ((*gptq)->packing, huggingface::Packing::gptq);
  EXPECT_EQ((*gptq)->group, 128);
  EXPECT_TRUE((*gptq)->has_zeros);
  EXPECT_EQ((*gptq)->zero_offset, 1);
  const auto rows = packing_of(R"({"quant_method":"gptq","bits":4,"group_size":-1,"checkpoint_format":"gptq_v2"})");
  ASSERT_TRUE(rows && *rows);
  EXPECT_EQ((*rows)->group, 0);
  EXPECT_FALSE((*rows)->has_zeros);
  EXPECT_EQ((*rows)->zero_offset, 0);
  for (const char* size : {"0", "-2", "1.5", "1099511627776"}) {
    const auto wrong = packing_of(R"({"quant_method":"awq","bits":4,"group_size":)" + std::string(size) + "}");
    ASSERT_FALSE(wrong) << size;
    EXPECT_EQ(wrong.error().code, Code::format);
  }
}

TEST(HuggingFaceConfig, WrongValuesAreRejected) {
  for (const char* more :
       {R"("rope_theta":0)", R"("rope_theta":"10000")", R"("rope_scaling":3)", R"("rope_scaling":{"type":"linear"})",
        R"("rope_scaling":{"type":"linear","factor":0})", R"("rope_scaling":{"type":5})", R"("num_key_value_heads":3)",
        R"("head_dim":15)", R"("partial_rotary_factor":1.5)", R"("partial_rotary_factor":0.01)",
        R"("partial_rotary_factor":0.2)", R"("tie_word_embeddings":"no")", R"("max_position_embeddings":-1)"}) {
    const auto config = read("llama", more);
    ASSERT_FALSE(config) << more;
    EXPECT_EQ(config.error().code, Code::format) << config.error().detail;
  }
  for (const char* key : {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads"}) {
    Json json = *parse_json(R"({"model_type":"llama",)" + std::string(kSizes) + "}");
    json.remove(key);
    const auto config = read_huggingface_config(json);
    ASSERT_FALSE(config) << key;
    EXPECT_EQ(config.error().reason, Reason::missing);
    EXPECT_NE(config.error().detail.find(key), std::string::npos);
  }
}

}  // namespace
}  // namespace quintet::test
