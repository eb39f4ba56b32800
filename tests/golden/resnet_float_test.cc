// Float networks give the logits of the original runtime and of float64 models.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/formats/expected.h"
#include "tests/golden/resnet_fixture.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

struct Logits {
  const char* folder;
  const char* file;
};

class FloatResNet : public ::testing::TestWithParam<std::tuple<Logits, const Kernels*>> {};

TEST_P(FloatResNet, GivesTheRecordedLogits) {
  const auto& [fixture, kernels] = GetParam();
  const std::string folder = fixture.folder;
  const auto network = network_fixture(*kernels, folder + fixture.file);
  ASSERT_TRUE(network);
  const Json& runs = *expected_entry(folder + "expected.json", fixture.file).find("expect")->find("runs");
  ASSERT_FALSE(runs.as_array()->empty());
  for (const Json& run : *runs.as_array()) {
    const std::vector<uint64_t> shape = numbers(*run.find("input")->find("shape"));
    const auto logits = network->logits(run_input(folder, *run.find("input")), shape[1], shape[2]);
    ASSERT_TRUE(logits) << logits.error().detail;
    const Json::Array& expected = *run.find("logits")->as_array();
    const double tolerance = *run.find("tolerance")->find("logits_abs")->as_double();
    ASSERT_EQ(logits->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR((*logits)[i], *expected[i].as_double(), tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, FloatResNet,
                         ::testing::Combine(::testing::Values(Logits{"tinyruntime/", "r18-vanilla-bytes.bin"},
                                                              Logits{"tinyruntime/", "r18-plain-vanilla.bin"},
                                                              Logits{"resnet/", "r50-vanilla.bin"}),
                                            ::testing::ValuesIn(testing::all_kernels())),
                         [](const auto& info) {
                           return test_name(std::get<0>(info.param).file) + "_" +
                                  std::string(std::get<1>(info.param)->name);
                         });

TEST(FloatNetwork, TakesPicturesOfAnySize) {
  const ResNetFixture fixture = resnet_fixture("tinyruntime/r18-plain-vanilla.bin");
  const auto network = float_network(active_kernels(), fixture);
  ASSERT_TRUE(network);
  for (const auto& [height, width] : {std::pair<size_t, size_t>{1, 1}, {1, 9}, {40, 3}, {33, 65}}) {
    const auto logits = network->logits(generated_input(1, 3 * height * width), height, width);
    ASSERT_TRUE(logits) << height << " x " << width;
    EXPECT_EQ(logits->size(), fixture.table.classes);
    for (const float logit : *logits) EXPECT_TRUE(std::isfinite(logit));
  }
}

TEST(FloatNetwork, RejectsAnInputThatIsNotAPicture) {
  const ResNetFixture fixture = resnet_fixture("tinyruntime/small-vanilla.bin");
  const auto network = float_network(active_kernels(), fixture);
  ASSERT_TRUE(network);
  const std::vector<float> image(3 * 8 * 8);
  for (const auto& [height, width] :
       {std::pair<size_t, size_t>{8, 7}, {0, 0}, {8, 0}, {std::numeric_limits<size_t>::max(), 2}}) {
    const auto logits = network->logits(image, height, width);
    ASSERT_FALSE(logits);
    EXPECT_EQ(logits.error().code, Code::input);
  }
  EXPECT_FALSE(network->logits({}, 0, 8));
}

}  // namespace
}  // namespace quintet::test
