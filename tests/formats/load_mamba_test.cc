// Files with Mamba-2 whose tensors contradict the configuration are one error, and no byte is read or written out of
// place.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/amb_building.h"
#include "tests/formats/loading.h"

namespace quintet::test {
namespace {

constexpr uint32_t kWidth = 8, kHeads = 2, kInner = 12, kState = 3, kKernel = 4, kChannels = kInner + 2 * kState;

std::string config_with(std::string_view architecture, std::string_view layers) {
  return R"({"architecture":")" + std::string(architecture) +
         R"(","n_vocab":4,"n_embd":8,"n_layers":1,"n_heads":2,"n_ff":4,"tie_embeddings":true,"mamba_layers":)" +
         std::string(layers) +
         R"(,"mamba_heads":2,"mamba_groups":1,"mamba_inner":12,"mamba_state":3,"mamba_kernel":4,"mamba_x_scale":2.0})";
}

AmbRecord zeros(std::string_view name, std::vector<uint32_t> shape) {
  uint64_t count = 1;
  for (const uint32_t size : shape) count *= size;
  return {.name = std::string(name),
          .shape = std::move(shape),
          .data_size = 4 * count,
          .data = std::string(4 * count, '\0')};
}

AmbRecord in_layer(std::string_view name, std::vector<uint32_t> shape) {
  return zeros("model.layers.0." + std::string(name), std::move(shape));
}

std::vector<AmbRecord> mamba() {
  return {zeros("model.embeddings.weight", {4, kWidth}),
          zeros("model.norm_f.weight", {kWidth}),
          in_layer("norm.weight", {kWidth}),
          in_layer("mixer.in_proj.weight", {kInner + kChannels + kHeads, kWidth}),
          in_layer("mixer.conv1d.weight", {kChannels, 1, kKernel}),
          in_layer("mixer.conv1d.bias", {kChannels}),
          in_layer("mixer.A_log", {kHeads}),
          in_layer("mixer.dt_bias", {kHeads}),
          in_layer("mixer.D", {kHeads, 1}),
          in_layer("mixer.norm.weight", {kInner}),
          in_layer("mixer.out_proj.weight", {kWidth, kInner})};
}

LoadedModel loaded(const std::string& config, const std::vector<AmbRecord>& records) {
  AmbBuilder builder;
  builder.config = config;
  for (const AmbRecord& record : records) builder.add(record);
  return load(builder.file(), {.chunk = 7});
}

void expect_error(const LoadedModel& model, Code code, std::string_view part) {
  ASSERT_FALSE(model) << part;
  EXPECT_EQ(model.error().code, code) << model.error().detail;
  EXPECT_NE((model.error().detail + " " + model.error().tensor).find(part), std::string::npos)
      << model.error().detail << ", tensor " << model.error().tensor;
}

TEST(LoadedMamba, HasAllItsParts) {
  const LoadedModel model = loaded(config_with("mamba2", "[0]"), mamba());
  ASSERT_TRUE(model) << model.error().detail << model.error().tensor;
}

TEST(LoadedMamba, NamesThePartThatIsMissing) {
  for (const std::string_view name :
       {"in_proj", "conv1d.weight", "A_log", "dt_bias", "mixer.D", "mixer.norm", "out_"}) {
    std::vector<AmbRecord> records = mamba();
    std::erase_if(records, [=](const AmbRecord& record) { return record.name.find(name) != std::string::npos; });
    expect_error(loaded(config_with("mamba2", "[0]"), records), Code::format, name);
  }
}

TEST(LoadedMamba, NamesThePartOfAnotherShape) {
  for (size_t i = 3; i < mamba().size(); ++i) {
    std::vector<AmbRecord> records = mamba();
    std::vector<uint32_t> shape = records[i].shape;
    for (const uint32_t rows : {1U, shape[0] - 1, shape[0] + 1}) {
      shape[0] = rows;
      if (shape == mamba()[i].shape) continue;
      records[i] = zeros(records[i].name, shape);
      expect_error(loaded(config_with("mamba2", "[0]"), records), Code::format, records[i].name);
    }
  }
}

TEST(LoadedMamba, IsRejectedInOtherFamilies) {
  ASSERT_FALSE(loaded(config_with("llama", "[0]"), mamba()));
  ASSERT_FALSE(loaded(config_with("lfm2", "[0]"), mamba()));
}

// Tensors of layers without Mamba-2 have any shape.
TEST(LoadedMamba, InOtherLayersIsIgnored) {
  std::vector<AmbRecord> records = mamba();
  const auto add = [&](std::string_view name, std::vector<uint32_t> shape) {
    records.push_back(zeros("model.layers.1." + std::string(name), std::move(shape)));
  };
  add("norm.weight", {kWidth});
  add("mixer.up_proj.weight", {4, kWidth});
  add("mixer.down_proj.weight", {kWidth, 4});
  add("mixer.conv1d.weight", {1, 2});
  add("mixer.A_log", {1});
  std::string config = config_with("nemotron_h", "[0]");
  config.replace(config.find("\"n_layers\":1"), 12, R"("n_layers":2)");
  config.insert(config.size() - 1, R"(,"mlp_layers":[1],"log_mamba_rates":true)");
  const LoadedModel model = loaded(config, records);
  ASSERT_TRUE(model) << model.error().detail << model.error().tensor;
  EXPECT_EQ((*model)->weights.layers[0][decoder::TensorKind::mamba_rates].vector[0], -1);
  EXPECT_EQ((*model)->weights.layers[1][decoder::TensorKind::mamba_rates].vector[0], 0);
}

}  // namespace
}  // namespace quintet::test
