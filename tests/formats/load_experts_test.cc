// Mixtures of experts whose files contradict themselves are one error, and no byte is written out of place.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/amb_building.h"
#include "tests/formats/loading.h"

namespace quintet::test {
namespace {

constexpr uint32_t kWidth = 8, kExperts = 2, kExpertWidth = 4;

std::string config_with(std::string_view architecture, std::string_view more) {
  return R"({"architecture":")" + std::string(architecture) +
         R"(","n_vocab":4,"n_embd":8,"n_layers":1,"n_heads":2,"n_ff":4,"tie_embeddings":true,"qk_norm":"none")" +
         std::string(more) + "}";
}

constexpr std::string_view kMixture = R"(,"n_experts":2,"n_experts_used":1,"expert_ff":4)";

AmbRecord floats(const std::string& name, std::vector<uint32_t> shape) {
  uint64_t count = 1;
  for (const uint32_t size : shape) count *= size;
  return {.name = name, .shape = std::move(shape), .data_size = 4 * count, .data = std::string(4 * count, '\0')};
}

std::string in_layer(std::string_view name) { return "model.layers.0." + std::string(name); }

std::vector<AmbRecord> attention() {
  std::vector<AmbRecord> records = {floats("model.embed_tokens.weight", {4, kWidth}),
                                    floats("model.norm.weight", {kWidth}),
                                    floats(in_layer("input_layernorm.weight"), {kWidth}),
                                    floats(in_layer("post_attention_layernorm.weight"), {kWidth}),
                                    floats(in_layer("mlp.gate.weight"), {kExperts, kWidth})};
  for (const char* projection : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
    records.push_back(floats(in_layer("self_attn.") + projection + ".weight", {kWidth, kWidth}));
  }
  return records;
}

std::vector<AmbRecord> experts(uint32_t count) {
  std::vector<AmbRecord> records;
  for (uint32_t expert = 0; expert < count; ++expert) {
    const std::string prefix = in_layer("mlp.experts.") + std::to_string(expert) + ".";
    records.push_back(floats(prefix + "gate_proj.weight", {kExpertWidth, kWidth}));
    records.push_back(floats(prefix + "up_proj.weight", {kExpertWidth, kWidth}));
    records.push_back(floats(prefix + "down_proj.weight", {kWidth, kExpertWidth}));
  }
  return records;
}

LoadedModel loaded(const std::string& config, const std::vector<std::vector<AmbRecord>>& groups) {
  AmbBuilder builder;
  builder.config = config;
  for (const std::vector<AmbRecord>& records : groups) {
    for (const AmbRecord& record : records) builder.add(record);
  }
  return load(builder.file(), {.chunk = 7});
}

void expect_error(const LoadedModel& model, Code code, std::string_view part) {
  ASSERT_FALSE(model) << part;
  EXPECT_EQ(model.error().code, code) << model.error().detail;
  EXPECT_NE((model.error().detail + " " + model.error().tensor).find(part), std::string::npos)
      << model.error().detail << ", tensor " << model.error().tensor;
}

TEST(LoadedExperts, HaveAMatrixEach) {
  const LoadedModel model = loaded(config_with("qwen3_moe", kMixture), {attention(), experts(kExperts)});
  ASSERT_TRUE(model) << model.error().detail << model.error().tensor;
  EXPECT_EQ((*model)->weights.layers[0].experts().size(), kExperts);
}

TEST(LoadedExperts, OrShareOneTensor) {
  const std::vector<AmbRecord> all = {
      floats(in_layer("mlp.experts.gate_up_proj"), {kExperts, 2 * kExpertWidth, kWidth}),
      floats(in_layer("mlp.experts.down_proj"), {kExperts, kWidth, kExpertWidth})};
  const LoadedModel model = loaded(config_with("qwen3_moe", kMixture), {attention(), all});
  ASSERT_TRUE(model) << model.error().detail << model.error().tensor;
  EXPECT_EQ((*model)->weights.layers[0].experts().size(), kExperts);
}

TEST(LoadedExperts, BeyondTheLastAreRejected) {
  expect_error(loaded(config_with("qwen3_moe", kMixture), {attention(), experts(kExperts + 1)}), Code::format,
               "beyond the 2");
  const AmbRecord far = floats(in_layer("mlp.experts.4294967295.up_proj.weight"), {kExpertWidth, kWidth});
  expect_error(loaded(config_with("qwen3_moe", kMixture), {attention(), {far}}), Code::format, "beyond the 2");
}

TEST(LoadedExperts, ThatAreMissingAreNamed) {
  expect_error(loaded(config_with("qwen3_moe", kMixture), {attention(), experts(1)}), Code::format,
               "mlp.experts.1.gate_proj.weight");
}

TEST(LoadedExperts, OfAnotherNumberInOneTensorAreRejected) {
  for (const std::vector<uint32_t>& shape :
       {std::vector<uint32_t>{3, kExpertWidth, kWidth}, {kExpertWidth, kWidth}, {kWidth}, {1, kExpertWidth, kWidth}}) {
    expect_error(loaded(config_with("qwen3_moe", kMixture),
                        {attention(), {floats(in_layer("mlp.experts.up_proj.weight"), shape)}}),
                 Code::format, "experts");
  }
}

TEST(LoadedExperts, ThatComeTwiceAreRejected) {
  const AmbRecord all = floats(in_layer("mlp.experts.up_proj.weight"), {kExperts, kExpertWidth, kWidth});
  expect_error(loaded(config_with("qwen3_moe", kMixture), {attention(), experts(kExperts), {all}}), Code::format,
               "second tensor");
}

// Their scales come before all values.
TEST(LoadedExperts, OfQuantizedTypesOfAmbMustBeApart) {
  AmbRecord all = floats(in_layer("mlp.experts.up_proj.weight"), {kExperts, kExpertWidth, kWidth});
  all.type = 3;
  all.quantization = std::string("\x03\x08\x00\x00", 4) + std::string(size_t{kExperts} * kExpertWidth * 4, '\0');
  all.data_size = size_t{kExperts} * kExpertWidth * kWidth;
  all.data = std::string(all.data_size, '\0');
  const LoadedModel model = loaded(config_with("qwen3_moe", kMixture), {attention(), {all}});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, Code::unsupported) << model.error().detail;
}

TEST(LoadedExperts, OfAFamilyWithoutThemAreUnsupported) {
  for (const std::string_view architecture : {"llama", "phi3", "unknown"}) {
    expect_error(loaded(config_with(architecture, kMixture), {attention(), experts(kExperts)}), Code::unsupported,
                 architecture);
  }
}

// A family that has experts need not have names for all that a configuration can ask for.
TEST(LoadedExperts, OfAFamilyWithoutNamesForThePartsAreUnsupported) {
  std::vector<AmbRecord> records = attention();
  for (AmbRecord& record : records) {
    if (record.name == in_layer("mlp.gate.weight")) record.name = in_layer("block_sparse_moe.router.layer.weight");
  }
  expect_error(loaded(config_with("granitemoe", ""), {records}), Code::unsupported, "granitemoe");
}

TEST(LoadedExperts, ImpossibleNumbersAreRejected) {
  for (const std::string_view more :
       {R"(,"n_experts":2)", R"(,"n_experts":2,"n_experts_used":3)", R"(,"n_experts":4097,"n_experts_used":1)",
        R"(,"n_experts":2,"n_experts_used":1,"expert_ff":1048577)",
        R"(,"n_experts":2,"n_experts_used":1,"shared_ff":-1)",
        R"(,"n_experts":2,"n_experts_used":1,"router_scale":0)"}) {
    expect_error(loaded(config_with("qwen3_moe", more), {attention()}), Code::format, "config");
  }
}

}  // namespace
}  // namespace quintet::test
