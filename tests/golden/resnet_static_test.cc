// Statically quantized networks compute the integers of the original runtime, stage by stage.

#include <gtest/gtest.h>

#include "base/hash.h"
#include "tests/golden/recorded_network.h"

namespace quintet::test {
namespace {

struct SeenStage {
  std::string name;
  ActivationQuantization quantization;
  std::vector<uint8_t> values;
};

class SeenStages final : public StageObserver {
 public:
  using StageObserver::StageObserver;

  void see_byte_stage(std::string_view name, const ActivationQuantization& quantization,
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

class StaticResNet : public RecordedNetwork {};

TEST_P(StaticResNet, GivesTheRecordedIntegers) {
  expect_runs<SeenStages>([](const std::vector<SeenStage>& seen, const Json& run) {
    const Json::Array& stages = *run.find("stages")->as_array();
    for (size_t i = 0; i < stages.size(); ++i) expect_stage(seen[i], stages[i]);
    const std::vector<uint8_t>& last = seen.back().values;
    EXPECT_EQ(std::vector<uint64_t>(last.begin(), last.end()), numbers(*run.find("final_uint8")));
  });
}

INSTANTIATE_TEST_SUITE_P(Fixtures, StaticResNet,
                         ::testing::Combine(::testing::Values("r18-sq.bin", "r34-sq.bin", "r50-sq.bin",
                                                              "r50-sq-bytes.bin", "r18-plain-sq.bin"),
                                            ::testing::ValuesIn(testing::all_kernels())),
                         RecordedNetwork::name);

}  // namespace
}  // namespace quintet::test
