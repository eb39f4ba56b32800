// Configurations with a gated DeltaNet from each dialect: which layers have it, and that sizes which do not fit are one
// error.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "architectures/decoder/config.h"
#include "tests/formats/gguf_builder.h"

namespace quintet::test {
namespace {

using Fields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// An object with the fields changed; a field without a value is removed.
Json changed(std::string_view text, Fields fields) {
  const Json json = *parse_json(text);
  Json result = Json::object();
  for (const Json::Member& member : *json.as_object()) {
    const auto is_named = [&](const auto& field) { return field.first == member.name; };
    if (std::ranges::none_of(fields, is_named)) result.append(member.name, member.value);
  }
  for (const auto& [name, value] : fields) {
    if (!value.empty()) result.append(std::string(name), *parse_json(value));
  }
  return result;
}

constexpr std::string_view kFolder = R"({"model_type":"qwen3_5_text","vocab_size":320,"hidden_size":64,
    "intermediate_size":96,"num_hidden_layers":6,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":16,
    "linear_num_key_heads":2,"linear_num_value_heads":6,"linear_key_head_dim":16,"linear_value_head_dim":24,
    "linear_conv_kernel_dim":4,"rope_parameters":{"rope_type":"default","rope_theta":1000000,
    "partial_rotary_factor":0.5,"mrope_interleaved":true,"mrope_section":[2,1,1]}})";
constexpr std::string_view kAmb = R"({"architecture":"qwen3_5_text","n_vocab":320,"n_embd":64,"n_layers":4,"n_heads":4,
    "delta_layers":[0,1,2],"delta_key_heads":2,"delta_value_heads":6,"delta_key_dim":16,"delta_value_dim":24,
    "delta_kernel":4})";

Result<DecoderConfig> folder(Fields fields = {}) { return read_huggingface_config(changed(kFolder, fields)); }
Result<DecoderConfig> amb(Fields fields = {}) { return read_amb_config(changed(kAmb, fields)); }

void expect_refused(const Result<DecoderConfig>& config, std::string_view part) {
  ASSERT_FALSE(config) << part;
  EXPECT_TRUE(config.error().code == Code::format || config.error().code == Code::unsupported);
  EXPECT_NE(config.error().detail.find(part), std::string::npos) << config.error().detail;
}

TEST(DeltaNetConfig, OfAFolderIsInAllLayersButEveryFourth) {
  const auto config = folder();
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->delta_layers, (LayerSet{true, true, true, false, true, true}));
  EXPECT_EQ(config->rope_dim, 8u);
  EXPECT_EQ(config->rope_freq_base, 1000000);
  EXPECT_TRUE(config->has_norm_offset);
  EXPECT_TRUE(config->has_log_delta_rates);
  EXPECT_FALSE(config->has_tiled_delta_heads);
  EXPECT_TRUE(config->block.has_attention_gate);
  const auto other = folder({{"full_attention_interval", "2"}});
  ASSERT_TRUE(other) << other.error().detail;
  EXPECT_EQ(other->delta_layers, (LayerSet{true, false, true, false, true, false}));
  const auto attention = folder({{"full_attention_interval", "1"}, {"linear_num_key_heads", ""}});
  ASSERT_TRUE(attention) << attention.error().detail;
  EXPECT_TRUE(attention->delta_layers.empty());
}

TEST(DeltaNetConfig, OfAFolderIsInTheLayersNamedAfterIt) {
  constexpr std::string_view kListed = R"(["linear_attention","full_attention","full_attention","full_attention",
      "full_attention","linear_attention"])";
  const auto config = folder({{"layer_types", kListed}});
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->delta_layers, (LayerSet{true, false, false, false, false, true}));
  expect_refused(folder({{"layer_types", R"(["linear_attention"])"}}), "layer_types");
  expect_refused(folder({{"attn_output_gate", "false"}}), "attn_output_gate");
}

TEST(DeltaNetConfig, RejectsSizesThatDoNotFit) {
  for (const std::string_view key : {"linear_num_key_heads", "linear_num_value_heads", "linear_key_head_dim",
                                     "linear_value_head_dim", "linear_conv_kernel_dim"}) {
    for (const std::string_view value : {"", "0", "-1", "1.5", "1048577", "18446744073709551615", "[]"}) {
      expect_refused(folder({{key, value}}), key);
    }
  }
  expect_refused(folder({{"linear_conv_kernel_dim", "1"}}), "linear_conv_kernel_dim");
  expect_refused(folder({{"linear_num_key_heads", "4"}}), "does not divide");
  expect_refused(folder({{"linear_num_value_heads", "65536"}, {"linear_value_head_dim", "4096"}}), "too many channels");
  expect_refused(folder({{"linear_num_key_heads", "65536"}, {"linear_num_value_heads", "65536"}}), "too many channels");
  expect_refused(folder({{"linear_num_value_heads", "32768"}, {"linear_key_head_dim", "4096"}}), "too large");
}

TEST(DeltaNetConfig, OfAmbHasAllSizes) {
  const auto config = amb();
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_TRUE(config->block.has_attention_gate);
  EXPECT_EQ(*read_amb_config(amb_config(*config)), *config);
  for (const std::string_view key :
       {"delta_key_heads", "delta_value_heads", "delta_key_dim", "delta_value_dim", "delta_kernel"}) {
    for (const std::string_view value : {"", "0", "18446744073709551615", "2.5"}) {
      expect_refused(amb({{key, value}}), key);
    }
  }
  expect_refused(amb({{"delta_key_heads", "4"}}), "delta_key_heads");
  expect_refused(amb({{"delta_layers", "[4]"}}), "delta_layers");
  const auto without = amb({{"delta_layers", ""}});
  ASSERT_TRUE(without) << without.error().detail;
  EXPECT_FALSE(without->has_delta_net());
}

GgufBuilder qwen35(uint32_t further, uint32_t inner = 96, uint32_t groups = 2) {
  GgufBuilder builder;
  builder.text("general.architecture", "qwen35").u32("qwen35.block_count", 5);
  for (const auto& [key, value] : {std::pair{"embedding_length", 64U},
                                   {"feed_forward_length", 96U},
                                   {"attention.head_count", 4U},
                                   {"attention.head_count_kv", 2U},
                                   {"vocab_size", 10U},
                                   {"nextn_predict_layers", further},
                                   {"ssm.conv_kernel", 4U},
                                   {"ssm.state_size", 16U},
                                   {"ssm.group_count", groups},
                                   {"ssm.time_step_rank", 6U},
                                   {"ssm.inner_size", inner}}) {
    builder.u32("qwen35." + std::string(key), value);
  }
  return builder.f32("qwen35.attention.layer_norm_rms_epsilon", 0.5F);
}

Result<DecoderConfig> gguf(const GgufBuilder& builder) {
  const auto read = read_file(builder.build());
  EXPECT_TRUE(read);
  return read_decoder_config(read->description);
}

TEST(DeltaNetConfig, OfGgufCountsTheBlocksThatPredictFurtherTokens) {
  const auto config = gguf(qwen35(1));
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->n_layers, 4u);
  EXPECT_EQ(config->delta_layers, (LayerSet{true, true, true, false}));
  EXPECT_TRUE(config->has_tiled_delta_heads);
  EXPECT_FALSE(config->has_norm_offset);
  EXPECT_FALSE(config->has_log_delta_rates);
  EXPECT_EQ(gguf(qwen35(0))->delta_layers, (LayerSet{true, true, true, false, true}));
  expect_refused(gguf(qwen35(5)), "nextn_predict_layers");
  expect_refused(gguf(qwen35(4000000000U)), "nextn_predict_layers");
  expect_refused(gguf(qwen35(0, 64)), "ssm.inner_size");
  expect_refused(gguf(qwen35(0, 96, 4)), "ssm.group_count");
}

}  // namespace
}  // namespace quintet::test
