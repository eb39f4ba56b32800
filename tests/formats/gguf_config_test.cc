// The configs that GGUF files of decoders give.

#include <gtest/gtest.h>

#include "architectures/decoder/config.h"
#include "tests/formats/gguf_builder.h"

namespace quintet::test {
namespace {

ModelDescription describe(const GgufBuilder& builder) {
  auto read = read_file(builder.build());
  EXPECT_TRUE(read) << (read ? "" : read.error().detail);
  return read ? std::move(read->description) : ModelDescription();
}

// Sizes that every architecture has.
GgufBuilder sized(const std::string& architecture) {
  GgufBuilder builder;
  builder.text("general.architecture", architecture).u32(architecture + ".block_count", 2);
  builder.u32(architecture + ".embedding_length", 64).u32(architecture + ".attention.head_count", 4);
  builder.u32(architecture + ".feed_forward_length", 96).u32(architecture + ".context_length", 128);
  builder.u32(architecture + ".vocab_size", 10);
  return builder;
}

GgufBuilder llama() { return sized("llama").f32("llama.attention.layer_norm_rms_epsilon", 0.5F); }

// The config that inspection shows; empty if the model cannot be computed.
Json config_of(const GgufBuilder& builder) {
  const ModelDescription description = describe(builder);
  const auto config = read_decoder_config(description);
  return config ? amb_config(*config) : Json::object();
}

void expect_unsupported(const GgufBuilder& builder, std::string_view part_of_reason) {
  const auto config = read_decoder_config(describe(builder));
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, Code::unsupported);
  EXPECT_NE(config.error().detail.find(part_of_reason), std::string::npos) << config.error().detail;
}

TEST(GgufConfig, Llama) {
  EXPECT_EQ(
      write_json(config_of(tiny_gguf_llama())),
      R"({"architecture":"llama","n_vocab":8,"n_embd":16,"n_layers":1,"n_heads":4,"n_kv_heads":2,"max_seq_len":64,)"
      R"("is_rope":true,"activation_fn":"silu","rope_freq_base":500000.0,"rope_scaling":1.0,"n_ff":24,"head_dim":4,)"
      R"("norm_eps":0.25,"rope_dim":4,"sliding_window":0})");
}

TEST(GgufConfig, Phi2) {
  GgufBuilder builder = sized("phi2");
  builder.f32("phi2.attention.layer_norm_epsilon", 0.5F).u32("phi2.rope.dimension_count", 8);
  EXPECT_EQ(
      write_json(config_of(builder)),
      R"({"architecture":"phi","n_vocab":10,"n_embd":64,"n_layers":2,"n_heads":4,"n_kv_heads":4,"max_seq_len":128,)"
      R"("is_rope":true,"activation_fn":"gelu_new","rope_freq_base":10000.0,"rope_scaling":1.0,"n_ff":96,)"
      R"("head_dim":16,"norm_eps":0.5,"rope_dim":8,"sliding_window":0})");
}

TEST(GgufConfig, Phi3) {
  GgufBuilder builder = sized("phi3");
  builder.f32("phi3.attention.layer_norm_rms_epsilon", 0.5F).u32("phi3.attention.sliding_window", 2047);
  builder.u32("phi3.attention.key_length", 24).u32("phi3.attention.value_length", 24);
  EXPECT_EQ(
      write_json(config_of(builder)),
      R"({"architecture":"phi3","n_vocab":10,"n_embd":64,"n_layers":2,"n_heads":4,"n_kv_heads":4,"max_seq_len":128,)"
      R"("is_rope":true,"activation_fn":"silu","rope_freq_base":10000.0,"rope_scaling":1.0,"n_ff":96,)"
      R"("head_dim":24,"norm_eps":0.5,"rope_dim":24,"sliding_window":2047})");
}

TEST(GgufConfig, TheVocabularysSizeIsThatOfTheEmbeddingThenOfTheTokens) {
  GgufBuilder builder = llama();
  EXPECT_EQ(config_of(builder).find("n_vocab")->as_uint(), 10);
  builder.strings("tokenizer.ggml.tokens", {"a", "b"});
  EXPECT_EQ(config_of(builder).find("n_vocab")->as_uint(), 2);
  builder.tensor("token_embd.weight", {64, 3}, 24, counting_bytes(192));
  EXPECT_EQ(config_of(builder).find("n_vocab")->as_uint(), 3);
}

TEST(GgufConfig, LinearScaling) {
  const auto scaling = [](const GgufBuilder& builder) { return config_of(builder).find("rope_scaling")->as_double(); };
  EXPECT_EQ(scaling(llama().f32("llama.rope.scale_linear", 2)), 2);
  EXPECT_EQ(scaling(llama().f32("llama.rope.scaling.factor", 4)), 4);
  EXPECT_EQ(scaling(llama().f32("llama.rope.scaling.factor", 4).text("llama.rope.scaling.type", "linear")), 4);
  EXPECT_EQ(scaling(llama().f32("llama.rope.scaling.factor", 4).text("llama.rope.scaling.type", "none")), 1);
}

TEST(GgufConfig, PreTokenizers) {
  const auto bpe = [](std::string_view pre) {
    return llama().text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", pre);
  };
  for (const char* pre : {"gpt-2", "llama-bpe", "qwen2", "gpt-4o"})
    EXPECT_NE(write_json(config_of(bpe(pre))), "{}") << pre;
  expect_unsupported(bpe("bailingmoe"), "bailingmoe");
  expect_unsupported(llama().text("tokenizer.ggml.model", "gpt2"), "default");
  GgufBuilder phi = sized("phi2").f32("phi2.attention.layer_norm_epsilon", 0.5F).text("tokenizer.ggml.model", "gpt2");
  EXPECT_NE(write_json(config_of(phi)), "{}");
  // Other tokenizers ignore `pre`.
  EXPECT_NE(write_json(config_of(llama().text("tokenizer.ggml.model", "llama").text("tokenizer.ggml.pre", "default"))),
            "{}");
}

GgufBuilder yarn(const std::string& architecture) {
  const std::string scaling = architecture + ".rope.scaling.";
  return sized(architecture)
      .f32(architecture + ".attention.layer_norm_rms_epsilon", 0.5F)
      .text(scaling + "type", "yarn")
      .f32(scaling + "factor", 8)
      .u32(scaling + "original_context_length", 16);
}

TEST(GgufConfig, Yarn) {
  const auto plain = read_decoder_config(describe(yarn("qwen3")));
  ASSERT_TRUE(plain) << plain.error().detail;
  // 0.1 ln 8 + 1.
  EXPECT_EQ(plain->yarn_rope,
            (YarnRope{.factor = 8, .original_max_seq_len = 16, .attention_factor = 1.2079441541679836}));
  EXPECT_EQ(plain->attention_temperature, 0);
  EXPECT_EQ(*read_amb_config(amb_config(*plain)), *plain);

  GgufBuilder builder = yarn("mistral3");
  builder.f32("mistral3.rope.scaling.yarn_beta_fast", 4).f32("mistral3.rope.scaling.yarn_beta_slow", 0.5F);
  builder.f32("mistral3.rope.scaling.yarn_log_multiplier", 1).f32("mistral3.rope.scaling.attn_factor", 1.5F);
  builder.f32("mistral3.attention.temperature_scale", 0.25F);
  const auto ministral = read_decoder_config(describe(builder));
  ASSERT_TRUE(ministral) << ministral.error().detail;
  EXPECT_EQ(
      ministral->yarn_rope,
      (YarnRope{.factor = 8, .beta_fast = 4, .beta_slow = 0.5, .original_max_seq_len = 16, .attention_factor = 1.5}));
  EXPECT_EQ(ministral->attention_temperature, 0.25);
  EXPECT_EQ(ministral->attention_temperature_length, 16U);
  EXPECT_EQ(*read_amb_config(amb_config(*ministral)), *ministral);
  EXPECT_EQ(alt_parameters(*ministral).error().code, Code::unsupported);

  builder.f32("mistral3.rope.scaling.yarn_attn_factor", 2);
  EXPECT_EQ(read_decoder_config(describe(builder))->yarn_rope->attention_factor, 3);
  EXPECT_FALSE(read_decoder_config(describe(
      sized("qwen3").f32("qwen3.attention.layer_norm_rms_epsilon", 0.5F).text("qwen3.rope.scaling.type", "yarn"))));
}

TEST(GgufConfig, UnsupportedModelsHaveNone) {
  expect_unsupported(sized("other"), "other");
  expect_unsupported(GgufBuilder(), "architecture");
  expect_unsupported(llama().u32("llama.expert_count", 8), "expert_count");
  expect_unsupported(llama().text("llama.rope.scaling.type", "dynamic"), "yarn");
  expect_unsupported(yarn("llama").f32("llama.rope.scaling.yarn_ext_factor", 0), "yarn_ext_factor");
  expect_unsupported(llama().f32("llama.rope.scaling.attn_factor", 1.5F), "linear");
  expect_unsupported(llama().u32("llama.attention.value_length", 8), "value_length");
  expect_unsupported(llama().u32("llama.rope.dimension_count", 8), "rope.dimension_count");
  expect_unsupported(llama().value("llama.use_parallel_residual", kGgufBool, GgufBytes().number(uint8_t{1})),
                     "use_parallel_residual");
}

TEST(GgufConfig, GemmaScalesItsEmbeddings) {
  GgufBuilder builder = sized("gemma").f32("gemma.attention.layer_norm_rms_epsilon", 0.5F);
  const Json config = config_of(builder);
  EXPECT_EQ(config.find("embedding_scale")->as_double(), 8);  // the root of 64
  EXPECT_EQ(write_json(*config.find("activation_fn")), R"("gelu_new")");
  EXPECT_EQ(config.find("norm_offset"), nullptr);  // the file has 1 + w
}

TEST(GgufConfig, LayersWithoutHeadsOfKeysHaveConvolutions) {
  const auto config_with = [](const std::vector<int32_t>& heads, uint32_t length) {
    GgufBuilder builder = sized("lfm2").f32("lfm2.attention.layer_norm_rms_epsilon", 0.5F);
    builder.ints("lfm2.attention.head_count_kv", heads).u32("lfm2.shortconv.l_cache", length);
    return read_decoder_config(describe(builder));
  };
  const auto config = config_with({0, 2}, 3);
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->n_kv_heads, 2U);
  EXPECT_EQ(config->convolution_layers, (LayerSet{true, false}));
  EXPECT_EQ(config->convolution_length, 3U);
  EXPECT_EQ(read_amb_config(amb_config(*config))->convolution_layers, (LayerSet{true, false}));
  for (const std::vector<int32_t>& heads : {std::vector<int32_t>{0, 0}, {2, 4}, {0, 2, 2}, {0, -1}, {0, 3}}) {
    EXPECT_FALSE(config_with(heads, 3));
  }
  EXPECT_FALSE(config_with({0, 2}, 0));
}

TEST(GgufConfig, LongRopeIsRecognizedByItsTensors) {
  GgufBuilder builder = sized("phi3").f32("phi3.attention.layer_norm_rms_epsilon", 0.5F);
  builder.tensor("rope_factors_long.weight", {8}, 0, counting_bytes(32));
  const auto without = read_decoder_config(describe(builder));
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().detail.find("original_context_length"), std::string::npos) << without.error().detail;
  builder.u32("phi3.rope.scaling.original_context_length", 32).f32("phi3.rope.scaling.attn_factor", 1.25F);
  const auto config = read_decoder_config(describe(builder));
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->long_rope->original_max_seq_len, 32U);
  EXPECT_EQ(config->long_rope->attention_factor, 1.25);
}

TEST(GgufConfig, WindowsOfLayers) {
  const auto layers = [](const GgufBuilder& builder) {
    const auto config = read_decoder_config(describe(builder));
    return config ? config->full_attention_layers : LayerSet{};
  };
  const auto gemma2 = [] {
    return sized("gemma2")
        .f32("gemma2.attention.layer_norm_rms_epsilon", 0.5F)
        .u32("gemma2.attention.sliding_window", 16);
  };
  EXPECT_EQ(layers(gemma2()), (LayerSet{false, true}));  // every second one by default
  EXPECT_EQ(layers(gemma2().u32("gemma2.attention.sliding_window_pattern", 1)), (LayerSet{true, true}));
  const GgufBytes flags =
      GgufBytes().number(uint32_t{kGgufBool}).number(uint64_t{2}).number(uint8_t{0}).number(uint8_t{1});
  EXPECT_EQ(layers(gemma2().value("gemma2.attention.sliding_window_pattern", kGgufArray, flags)),
            (LayerSet{true, false}));
}

TEST(GgufConfig, MissingAndWrongFieldsAreNamed) {
  const auto reason = [](const GgufBuilder& builder) {
    const auto config = read_decoder_config(describe(builder));
    return config ? "none" : config.error().detail;
  };
  EXPECT_NE(reason(sized("llama")).find("layer_norm_rms_epsilon"), std::string::npos);
  GgufBuilder builder;
  builder.text("general.architecture", "llama").u32("llama.embedding_length", 64);
  EXPECT_NE(reason(builder).find("block_count"), std::string::npos);
  // One number of heads for each layer.
  builder.u32("llama.block_count", 2).ints("llama.attention.head_count", {4, 8});
  EXPECT_NE(reason(builder).find("attention.head_count"), std::string::npos);
}

}  // namespace
}  // namespace quintet::test
