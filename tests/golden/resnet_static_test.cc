// Statically quantized networks compute the integers of the original runtime, stage by stage.

#include <gtest/gtest.h>

#include "base/crc32.h"
#include "tests/formats/expected.h"
#include "tests/golden/resnet_fixture.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

struct SeenStage {
  std::string name;
  ActivationQuantization quantization;
  std::vector<uint8_t> values;
};

class SeenStages final : public resnet::StageObserver {
 public:
  void see_bytes(std::string_view name, const ActivationQuantization& quantization,
                 std::span<const uint8_t> values) override {
    stages.push_back({std::string(name), quantization, {values.begin(), values.end()}});
  }

  std::vector<SeenStage> stages;
};

void expect_stage(const SeenStage& stage, const Json& expected) {
  SCOPED_TRACE(stage.name);
  EXPECT_EQ(stage.name, *expected.find("name")->as_string());
  EXPECT_EQ(stage.values.size(), *expected.find("count")->as_uint());
  EXPECT_EQ(stage.quantization.scale, static_cast<float>(*expected.find("scale")->as_double()));
  EXPECT_EQ(static_cast<uint64_t>(stage.quantization.zero_point), *expected.find("zero_point")->as_uint());
  const std::vector<uint64_t> first = numbers(*expected.find("first"));
  ASSERT_LE(first.size(), stage.values.size());
  for (size_t i = 0; i < first.size(); ++i) EXPECT_EQ(stage.values[i], first[i]) << i;
  EXPECT_EQ(crc32(std::as_bytes(std::span(stage.values))), *expected.find("crc32")->as_uint());
}

class StaticResNet : public ::testing::TestWithParam<std::tuple<const char*, const Kernels*>> {};

TEST_P(StaticResNet, GivesTheRecordedIntegers) {
  const auto& [file, kernels] = GetParam();
  const std::string folder = "tinyruntime/";
  const auto network = network_fixture(*kernels, folder + file);
  ASSERT_TRUE(network);
  const Json& runs = *expected_entry(folder + "expected.json", file).find("expect")->find("runs");
  ASSERT_FALSE(runs.as_array()->empty());
  for (const Json& run : *runs.as_array()) {
    const std::vector<uint64_t> shape = numbers(*run.find("input")->find("shape"));
    SeenStages seen;
    const auto logits = network->logits(run_input(folder, *run.find("input")), shape[1], shape[2], &seen);
    ASSERT_TRUE(logits) << logits.error().detail;
    const Json::Array& stages = *run.find("stages")->as_array();
    ASSERT_EQ(seen.stages.size(), stages.size());
    for (size_t i = 0; i < stages.size(); ++i) expect_stage(seen.stages[i], stages[i]);

    const std::vector<uint64_t> last = numbers(*run.find("final_uint8"));
    EXPECT_EQ(std::vector<uint64_t>(seen.stages.back().values.begin(), seen.stages.back().values.end()), last);
    const Json::Array& expected = *run.find("logits")->as_array();
    ASSERT_EQ(logits->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ((*logits)[i], static_cast<float>(*expected[i].as_double())) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, StaticResNet,
                         ::testing::Combine(::testing::Values("r18-sq.bin", "r34-sq.bin", "r50-sq.bin",
                                                              "r50-sq-bytes.bin", "r18-plain-sq.bin"),
                                            ::testing::ValuesIn(testing::all_kernels())),
                         [](const auto& info) {
                           return test_name(std::get<0>(info.param)) + "_" + std::string(std::get<1>(info.param)->name);
                         });

}  // namespace
}  // namespace quintet::test
