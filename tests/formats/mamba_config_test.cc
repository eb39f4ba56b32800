// Configurations with Mamba-2 from each dialect: which layers have it, and that sizes which do not fit are one error.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

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

constexpr std::string_view kGranite = R"({"model_type":"granitemoehybrid","vocab_size":320,"hidden_size":64,
    "intermediate_size":32,"shared_intermediate_size":48,"num_hidden_layers":3,"num_attention_heads":4,
    "num_key_value_heads":2,"layer_types":["mamba","attention","mamba"],"position_embedding_type":"nope",
    "mamba_n_heads":8,"mamba_d_head":16,"mamba_d_state":16,"mamba_n_groups":2,"mamba_d_conv":4})";
constexpr std::string_view kFalcon = R"({"model_type":"falcon_h1","vocab_size":320,"hidden_size":64,
    "intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"mamba_d_ssm":96,"mamba_n_heads":6,
    "mamba_d_head":16,"mamba_d_state":16,"mamba_n_groups":2,"mamba_d_conv":4})";
constexpr std::string_view kNemotron = R"({"model_type":"nemotron_h","vocab_size":320,"hidden_size":64,
    "intermediate_size":96,"num_hidden_layers":4,"num_attention_heads":4,"head_dim":16,"mlp_hidden_act":"relu2",
    "hybrid_override_pattern":"M*-M","mamba_num_heads":8,"mamba_head_dim":8,"ssm_state_size":16,"n_groups":2,
    "conv_kernel":4})";
constexpr std::string_view kAmb = R"({"architecture":"mamba2","n_vocab":320,"n_embd":64,"n_layers":2,"n_heads":1,
    "mamba_layers":[0,1],"mamba_heads":8,"mamba_groups":2,"mamba_inner":128,"mamba_state":16,"mamba_kernel":4})";

Result<DecoderConfig> folder(std::string_view text, Fields fields = {}) {
  return read_huggingface_config(changed(text, fields));
}

void expect_refused(const Result<DecoderConfig>& config, std::string_view part) {
  ASSERT_FALSE(config) << part;
  EXPECT_TRUE(config.error().code == Code::format || config.error().code == Code::unsupported);
  EXPECT_NE(config.error().detail.find(part), std::string::npos) << config.error().detail;
}

TEST(MambaConfig, OfGranite4IsInTheLayersNamedAfterIt) {
  const auto config = folder(kGranite);
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->mamba_layers, (LayerSet{true, false, true}));
  EXPECT_EQ(config->mamba_inner, 128u);
  EXPECT_EQ(config->n_ff, 48u);
  EXPECT_EQ(config->expert_ff, 0u);
  EXPECT_FALSE(config->is_rope);
  const auto mixture = folder(kGranite, {{"num_local_experts", "4"}, {"num_experts_per_tok", "2"}});
  ASSERT_TRUE(mixture) << mixture.error().detail;
  EXPECT_EQ(mixture->expert_ff, 32u);
  EXPECT_EQ(mixture->n_ff, 48u);
  EXPECT_TRUE(mixture->has_normalized_router);
}

TEST(MambaConfig, HasTwiceTheWidthIfNoHeadSizeIsGiven) {
  const auto config = folder(kGranite, {{"mamba_d_head", R"("auto")"}, {"mamba_expand", "3"}});
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->mamba_inner, 192u);
  EXPECT_EQ(folder(kGranite, {{"mamba_d_head", ""}})->mamba_inner, 128u);
}

TEST(MambaConfig, OfFalconH1HasFactors) {
  const auto config = folder(kFalcon, {{"attention_in_multiplier", "2"},
                                       {"key_multiplier", "0.5"},
                                       {"attention_out_multiplier", "3"},
                                       {"ssm_in_multiplier", "2"},
                                       {"ssm_multipliers", "[1,2,3,4,5]"},
                                       {"lm_head_multiplier", "0.25"},
                                       {"mlp_multipliers", "[0.5,8]"}});
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->attention_scale, 2.0 / 4);  // 2 * 2 * 0.5 / sqrt(16)
  EXPECT_EQ(config->attention_output_scale, 6);
  EXPECT_EQ(config->mamba_gate_scale, 2);
  EXPECT_EQ(config->mamba_time_scale, 10);
  EXPECT_EQ(config->logit_scale, 4);
  EXPECT_EQ(config->mlp_gate_scale, 0.5);
  EXPECT_EQ(config->mlp_output_scale, 8);
  expect_refused(folder(kFalcon, {{"ssm_multipliers", "[1,2,3,4]"}}), "ssm_multipliers");
  expect_refused(folder(kFalcon, {{"ssm_multipliers", "[1,2,3,4,-5]"}}), "ssm_multipliers");
  expect_refused(folder(kFalcon, {{"mlp_multipliers", "[1,2,3]"}}), "mlp_multipliers");
  expect_refused(folder(kFalcon, {{"mamba_d_ssm", "64"}}), "mamba_d_ssm");
  expect_refused(folder(kFalcon, {{"attention_bias", "true"}}), "attention_bias");
  expect_refused(folder(kFalcon, {{"mamba_rms_norm", "true"}, {"mamba_norm_before_gate", "true"}}),
                 "mamba_norm_before_gate");
}

TEST(MambaConfig, OfNemotronHHasAPatternOfLayers) {
  const auto config = folder(kNemotron);
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->mamba_layers, (LayerSet{true, false, false, true}));
  EXPECT_EQ(config->mlp_layers, (LayerSet{false, false, true, false}));
  EXPECT_EQ(config->activation, Activation::relu_squared);
  expect_refused(folder(kNemotron, {{"hybrid_override_pattern", R"("M*-")"}}), "hybrid_override_pattern");
  expect_refused(folder(kNemotron, {{"hybrid_override_pattern", R"("M*E-")"}}), "hybrid_override_pattern");
  expect_refused(folder(kNemotron, {{"hybrid_override_pattern", ""}}), "hybrid_override_pattern");
}

TEST(MambaConfig, RejectsSizesThatDoNotFit) {
  expect_refused(folder(kGranite, {{"layer_types", R"(["mamba"])"}}), "layer_types");
  expect_refused(folder(kGranite, {{"layer_types", R"(["mamba","linear","mamba"])"}}), "layer_types");
  expect_refused(folder(kGranite, {{"mamba_n_groups", "3"}}), "mamba_n_groups");
  expect_refused(folder(kGranite, {{"mamba_n_heads", "7"}, {"mamba_d_head", R"("auto")"}}), "mamba_n_heads");
  expect_refused(folder(kGranite, {{"time_step_limit", "[0.001,0.1]"}}), "time_step_limit");
  for (const std::string_view key :
       {"mamba_n_heads", "mamba_d_head", "mamba_d_state", "mamba_n_groups", "mamba_d_conv"}) {
    for (const std::string_view value : {"0", "-1", "1.5", "1048577", "18446744073709551615", "[]"}) {
      expect_refused(folder(kGranite, {{key, value}}), key);
    }
  }
  expect_refused(folder(kGranite, {{"mamba_d_conv", "1"}}), "mamba_d_conv");
  expect_refused(folder(kGranite, {{"mamba_n_heads", "65536"}, {"mamba_d_head", "65536"}}), "channels");
  expect_refused(folder(kGranite, {{"mamba_n_heads", "65536"}, {"mamba_d_head", "16"}, {"mamba_d_state", "4096"}}),
                 "too large");
}

TEST(MambaConfig, OfAmbHasAllSizes) {
  const auto config = read_amb_config(*parse_json(kAmb));
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(*read_amb_config(amb_config(*config)), *config);
  for (const std::string_view key : {"mamba_heads", "mamba_groups", "mamba_inner", "mamba_state", "mamba_kernel"}) {
    for (const std::string_view value : {"", "0", "18446744073709551615", "2.5"}) {
      expect_refused(read_amb_config(changed(kAmb, {{key, value}})), key);
    }
  }
  expect_refused(read_amb_config(changed(kAmb, {{"mamba_heads", "7"}})), "mamba_heads");
  expect_refused(read_amb_config(changed(kAmb, {{"mamba_groups", "3"}})), "mamba_groups");
  expect_refused(read_amb_config(changed(kAmb, {{"mamba_layers", "[2]"}})), "mamba_layers");
  expect_refused(read_amb_config(changed(kAmb, {{"mlp_layers", "[1]"}})), "mlp_layers");
}

GgufBuilder nemotron(const std::vector<int32_t>& widths, const std::vector<int32_t>& heads, uint32_t groups = 2) {
  GgufBuilder builder;
  builder.text("general.architecture", "nemotron_h").u32("nemotron_h.block_count", 3);
  builder.u32("nemotron_h.embedding_length", 64).u32("nemotron_h.attention.head_count", 4);
  builder.ints("nemotron_h.feed_forward_length", widths).ints("nemotron_h.attention.head_count_kv", heads);
  builder.u32("nemotron_h.vocab_size", 10).f32("nemotron_h.attention.layer_norm_rms_epsilon", 0.5F);
  for (const auto& [key, value] : {std::pair{"conv_kernel", 4U},
                                   {"state_size", 16U},
                                   {"group_count", groups},
                                   {"time_step_rank", 8U},
                                   {"inner_size", 64U}}) {
    builder.u32("nemotron_h.ssm." + std::string(key), value);
  }
  return builder;
}

Result<DecoderConfig> gguf(const GgufBuilder& builder) {
  const auto read = read_file(builder.build());
  EXPECT_TRUE(read);
  return read_decoder_config(read->description);
}

TEST(MambaConfig, OfGgufHasLayersWithoutHeadsAndWidth) {
  const auto config = gguf(nemotron({0, 96, 0}, {0, 0, 2}));
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->mamba_layers, (LayerSet{true, false, false}));
  EXPECT_EQ(config->mlp_layers, (LayerSet{false, true, false}));
  EXPECT_EQ(config->n_ff, 96u);
  EXPECT_EQ(config->n_kv_heads, 2u);
  expect_refused(gguf(nemotron({0, 96, 96}, {0, 0, 2})), "feed_forward_length");
  expect_refused(gguf(nemotron({0, 96, 48}, {2, 0, 0})), "feed_forward_length");
  expect_refused(gguf(nemotron({0, 96}, {0, 0, 2})), "feed_forward_length");
  expect_refused(gguf(nemotron({0, 96, 0}, {0, 2})), "head_count_kv");
  expect_refused(gguf(nemotron({0, 96, 0}, {0, 0, 2}, 3)), "ssm.group_count");
  expect_refused(gguf(nemotron({0, 96, 0}, {0, 0, -2})), "head_count_kv");
}

}  // namespace
}  // namespace quintet::test
