// Dynamically quantized networks compute the floats of the original runtime, stage by stage and bit for bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/hash.h"
#include "tests/golden/recorded_network.h"

namespace quintet::test {
namespace {

struct SeenFloats {
  std::string name;
  std::vector<float> values;
};

class SeenFloatStages final : public StageObserver {
 public:
  using StageObserver::StageObserver;

  void see_float_stage(std::string_view name, std::span<const float> values) override {
    stages.push_back({std::string(name), {values.begin(), values.end()}});
  }

  std::vector<SeenFloats> stages;
};

void expect_float_stage(const SeenFloats& stage, const Json& expected) {
  SCOPED_TRACE(stage.name);
  EXPECT_EQ(stage.name, *expected.find("name")->as_string());
  ASSERT_EQ(stage.values.size(), *expected.find("count")->as_uint());
  std::vector<float> first = floats_of(*expected.find("first"));
  EXPECT_EQ(std::vector<float>(stage.values.begin(), stage.values.begin() + static_cast<ptrdiff_t>(first.size())),
            first);
  EXPECT_EQ(*std::ranges::max_element(stage.values), static_cast<float>(*expected.find("max")->as_double()));
  const double sum = std::accumulate(stage.values.begin(), stage.values.end(), 0.0);
  EXPECT_NEAR(sum / static_cast<double>(stage.values.size()), *expected.find("mean")->as_double(), 1e-6);
  EXPECT_EQ(crc32(std::as_bytes(std::span(stage.values))), *expected.find("crc32_if_exact")->as_uint());
}

class DynamicResNet : public RecordedNetwork {};

TEST_P(DynamicResNet, GivesTheRecordedFloats) {
  expect_runs<SeenFloatStages>([](const std::vector<SeenFloats>& seen, const Json& run) {
    const Json::Array& stages = *run.find("stages")->as_array();
    for (size_t i = 0; i < stages.size(); ++i) expect_float_stage(seen[i], stages[i]);
  });
}

INSTANTIATE_TEST_SUITE_P(Fixtures, DynamicResNet,
                         ::testing::Combine(::testing::Values("r18-dq-asym.bin", "r18-dq-sym.bin", "r50-dq.bin",
                                                              "r50-dq-bytes.bin", "r18-plain-dq.bin"),
                                            ::testing::ValuesIn(testing::all_kernels())),
                         RecordedNetwork::name);

}  // namespace
}  // namespace quintet::test
