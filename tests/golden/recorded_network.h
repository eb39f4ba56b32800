#pragma once
// Runs of quantized networks as the original runtime recorded them (tests/fixtures/tinyruntime).

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "base/json.h"
#include "tests/formats/expected.h"
#include "tests/golden/resnet_fixture.h"
#include "tests/kernels/variants.h"

namespace quintet::test {

std::vector<float> floats_of(const Json& values);

// A file with every build of the kernels.
class RecordedNetwork : public ::testing::TestWithParam<std::tuple<const char*, const Kernels*>> {
 public:
  static std::string name(const ::testing::TestParamInfo<ParamType>& info);

 protected:
  // `Observer` sees a run's `stages`; `expect_stages(stages, run)` compares them, the logits are compared here.
  template <class Observer, class Expect>
  static void expect_runs(const Expect& expect_stages) {
    const auto& [file, kernels] = GetParam();
    const std::string folder = "tinyruntime/";
    const auto network = network_fixture(*kernels, folder + file);
    ASSERT_TRUE(network);
    const Json& runs = *expected_entry(folder + "expected.json", file).find("expect")->find("runs");
    ASSERT_FALSE(runs.as_array()->empty());
    for (const Json& run : *runs.as_array()) {
      const std::vector<uint64_t> shape = numbers(*run.find("input")->find("shape"));
      Observer seen(network->graph());
      const auto logits = network->logits(run_input(folder, *run.find("input")), shape[1], shape[2], &seen);
      ASSERT_TRUE(logits) << logits.error().detail;
      ASSERT_EQ(seen.stages.size(), run.find("stages")->as_array()->size());
      expect_stages(seen.stages, run);
      EXPECT_EQ(*logits, floats_of(*run.find("logits")));
    }
  }
};

}  // namespace quintet::test
