// Decoders with layers of two kinds: how files describe them, and files that contradict themselves.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "architectures/decoder/config.h"

namespace quintet::test {
namespace {

// Like Gemma 4 E2B, with fewer layers.
constexpr std::string_view kE2b = R"("model_type":"gemma4_text","hidden_size":1536,"num_hidden_layers":8,
  "num_attention_heads":8,"num_key_value_heads":1,"intermediate_size":6144,"vocab_size":262144,"head_dim":256,
  "global_head_dim":512,"sliding_window":512,"num_kv_shared_layers":3,"use_double_wide_mlp":true,
  "layer_types":["sliding_attention","full_attention","sliding_attention","full_attention","sliding_attention",
                 "sliding_attention","full_attention","sliding_attention"],
  "rope_parameters":{"full_attention":{"rope_type":"proportional","rope_theta":1000000,"partial_rotary_factor":0.25},
                     "sliding_attention":{"rope_type":"default","rope_theta":10000}})";

// The fields of `more` go before those of the model.
Result<DecoderConfig> folder(std::string_view more = "") {
  Json json = *parse_json("{" + std::string(kE2b) + "}");
  const Json changes = *parse_json("{" + std::string(more) + "}");
  for (const auto& [key, value] : *changes.as_object()) json.set(key, value);
  return read_huggingface_config(json);
}

Result<DecoderConfig> amb(std::string_view more) {
  return read_amb_config(*parse_json(R"({"architecture":"gemma4_text","n_vocab":320,"n_embd":64,"n_layers":4,)"
                                     R"("n_heads":4,"n_kv_heads":2,"sliding_window":8,"full_attention_layers":[1,3],)" +
                                     std::string(more) + "}"));
}

TEST(LayerKinds, HaveTheirOwnSizes) {
  const auto config = folder();
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->head_dim_of(0), 256U);
  EXPECT_EQ(config->head_dim_of(1), 512U);
  EXPECT_EQ(config->rope_dim_of(0), 256U);
  EXPECT_EQ(config->rope_dim_of(1), 512U);
  EXPECT_EQ(config->rope_rotated_pairs, 64U);  // a quarter of the 256 pairs
  EXPECT_EQ(config->n_ff_of(4), 6144U);
  EXPECT_EQ(config->n_ff_of(5), 12288U);
  EXPECT_EQ(config->layer_input_width, 256U);
  EXPECT_EQ(*read_amb_config(amb_config(*config)), *config);
  EXPECT_EQ(alt_parameters(*config).error().code, Code::unsupported);
}

TEST(LayerKinds, ShareTheKeysAndValuesOfTheLastOfTheirKind) {
  const auto config = folder();
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->kv_source_of(3), 3U);
  EXPECT_EQ(config->kv_source_of(5), 4U);
  EXPECT_EQ(config->kv_source_of(6), 3U);
  EXPECT_EQ(config->kv_source_of(7), 4U);
}

TEST(LayerKinds, KeysAreValuesWithoutAWindow) {
  const auto config = folder(R"("attention_k_eq_v":true,"num_key_value_heads":4,"num_global_key_value_heads":2)");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->kv_heads_of(0), 4U);
  EXPECT_EQ(config->kv_heads_of(1), 2U);
  EXPECT_TRUE(config->has_values(0));
  EXPECT_FALSE(config->has_values(1));
}

// Like Gemma 3n E2B, with fewer layers.
Result<DecoderConfig> gemma3n(std::string_view more = "") {
  Json json = *parse_json(R"({"model_type":"gemma3n_text","hidden_size":2048,"num_hidden_layers":5,
    "num_attention_heads":8,"num_key_value_heads":2,"intermediate_size":[8192,8192,8192,8192,4096],"vocab_size":262400,
    "vocab_size_per_layer_input":262144,"altup_num_inputs":4,"altup_active_idx":0,"altup_coef_clip":120,
    "altup_correct_scale":true,"laurel_rank":32,"num_kv_shared_layers":1,
    "activation_sparsity_pattern":[0.95,0.95,0.0,0,0],
    "layer_types":["sliding_attention","full_attention","sliding_attention","sliding_attention","full_attention"]})");
  const Json changes = *parse_json("{" + std::string(more) + "}");
  for (const auto& [key, value] : *changes.as_object()) json.set(key, value);
  return read_huggingface_config(json);
}

TEST(LayerKinds, HaveStreams) {
  const auto config = gemma3n();
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_TRUE(config->block.has_altup);
  EXPECT_EQ(config->head_dim_of(0), config->head_dim_of(1));
  EXPECT_EQ(config->n_ff_of(3), 8192U);
  EXPECT_EQ(config->n_ff_of(4), 4096U);
  EXPECT_EQ(config->layer_input_vocab, 262144U);
  EXPECT_EQ(config->laurel_rank, 32U);
  EXPECT_EQ(config->n_sparse_layers, 2U);
  EXPECT_EQ(*read_amb_config(amb_config(*config)), *config);
  EXPECT_EQ(alt_parameters(*config).error().code, Code::unsupported);
}

struct Broken {
  std::string_view fields, named;
};

class BrokenFolder : public testing::TestWithParam<Broken> {};

TEST_P(BrokenFolder, IsOneError) {
  const auto config = folder(GetParam().fields);
  ASSERT_FALSE(config) << GetParam().fields;
  EXPECT_NE(config.error().detail.find(GetParam().named), std::string::npos) << config.error().detail;
}

INSTANTIATE_TEST_SUITE_P(
    LayerKinds, BrokenFolder,
    testing::Values(Broken{R"("num_kv_shared_layers":8)", "8 layers that read keys and values"},
                    Broken{R"("num_kv_shared_layers":7)", "layer 1"},
                    Broken{R"("num_kv_shared_layers":-1)", "num_kv_shared_layers"},
                    Broken{R"("layer_types":["full_attention"])", "8 layers"}, Broken{R"("head_dim":255)", "255"},
                    Broken{R"("global_head_dim":0)", "global_head_dim"},
                    Broken{R"("attention_k_eq_v":true,"num_global_key_value_heads":3)", "num_global_key_value_heads"},
                    Broken{R"("enable_moe_block":true)", "enable_moe_block"},
                    Broken{R"("hidden_size_per_layer_input":1e12)", "hidden_size_per_layer_input"}));

class BrokenGemma3n : public testing::TestWithParam<Broken> {};

TEST_P(BrokenGemma3n, IsOneError) {
  const auto config = gemma3n(GetParam().fields);
  ASSERT_FALSE(config) << GetParam().fields;
  EXPECT_NE(config.error().detail.find(GetParam().named), std::string::npos) << config.error().detail;
}

INSTANTIATE_TEST_SUITE_P(
    LayerKinds, BrokenGemma3n,
    testing::Values(Broken{R"("altup_num_inputs":5)", "altup_num_inputs"},
                    Broken{R"("altup_active_idx":1)", "altup_active_idx"},
                    Broken{R"("altup_correct_scale":false)", "altup_correct_scale"},
                    Broken{R"("laurel_rank":0)", "laurel_rank"}, Broken{R"("laurel_rank":1e12)", "laurel_rank"},
                    Broken{R"("intermediate_size":[8192,4096,8192,8192,4096])", "intermediate_size"},
                    Broken{R"("intermediate_size":[8192])", "intermediate_size"},
                    Broken{R"("activation_sparsity_pattern":[0.5,0,0,0,0])", "supported is 0.95"},
                    Broken{R"("activation_sparsity_pattern":[0,0.95,0,0,0])", "in the first layers"},
                    Broken{R"("activation_sparsity_pattern":[0.95])", "5 layers"},
                    Broken{R"("activation_sparsity_pattern":0.95)", "activation_sparsity_pattern"},
                    Broken{R"("num_kv_shared_layers":5,"intermediate_size":8192)", "5 layers"}));

class BrokenAmb : public testing::TestWithParam<Broken> {};

TEST_P(BrokenAmb, IsOneError) {
  const auto config = amb(GetParam().fields);
  ASSERT_FALSE(config) << GetParam().fields;
  EXPECT_NE(config.error().detail.find(GetParam().named), std::string::npos) << config.error().detail;
}

INSTANTIATE_TEST_SUITE_P(LayerKinds, BrokenAmb,
                         testing::Values(Broken{R"("local_kv_heads":3)", "local_kv_heads"},
                                         Broken{R"("local_head_dim":8,"local_rope_dim":16)", "local_rope_dim"},
                                         Broken{R"("local_head_dim":9)", "local_rope_dim"},
                                         Broken{R"("rope_rotated_pairs":9)", "rope_rotated_pairs"},
                                         Broken{R"("n_shared_kv_layers":4)", "4 layers"},
                                         Broken{R"("n_shared_kv_layers":3)", "layer 1"},
                                         Broken{R"("n_shared_kv_layers":1,"convolution_layers":[3],)"
                                                R"("convolution_length":3)",
                                                "layer 3"}));

}  // namespace
}  // namespace quintet::test
