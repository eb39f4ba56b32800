// Networks of random weights on pictures of any size, against their definitions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/vision/table_loader.h"
#include "tests/golden/plain_resnet.h"
#include "tests/golden/random_resnet.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

const std::vector<Form> kForms = {
    {"resnet18", {2, 2, 2, 2}, false, false, true, 7},
    {"resnet18_plain", {2, 2, 2, 2}, false, false, false, 0},
    {"resnet18_far_zero_point", {2, 2, 2, 2}, false, false, false, -4000},
    {"resnet18_lowest_zero_point", {2, 2, 2, 2}, false, false, false, -kMaxZeroPoint},
    {"resnet18_highest_zero_point", {2, 2, 2, 2}, false, false, false, kMaxZeroPoint},
    {"resnet50", {3, 4, 6, 3}, true, false, true, -5},
    {"resnet20", {3, 3, 3}, false, true, false, 3},
};

struct Size {
  size_t height, width;
};
const std::vector<Size> kSizes = {{1, 1}, {1, 9}, {40, 3}, {33, 37}};

std::string form_name(const ::testing::TestParamInfo<std::tuple<Form, const Kernels*>>& info) {
  const auto& [form, kernels] = info.param;
  return std::string(form.name) + "_" + std::string(kernels->name);
}

class FloatResNetOfForm : public ::testing::TestWithParam<std::tuple<Form, const Kernels*>> {};

TEST_P(FloatResNetOfForm, FollowsTheDefinitionAtAnySize) {
  const auto& [form, kernels] = GetParam();
  const ResNetFixture fixture = random_float_network(form);
  const auto network = float_network(*kernels, fixture);
  ASSERT_TRUE(network);
  for (const auto& [height, width] : kSizes) {
    SCOPED_TRACE(std::to_string(height) + " x " + std::to_string(width));
    const std::vector<float> image = generated_input(3, 3 * height * width);
    const auto logits = network->logits(image, height, width);
    ASSERT_TRUE(logits) << logits.error().detail;
    const std::vector<double> expected = plain_logits(fixture.table, fixture.weights, image, height, width);
    ASSERT_EQ(logits->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR((*logits)[i], expected[i], 1e-4 * (1 + std::abs(expected[i])));
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, FloatResNetOfForm,
                         ::testing::Combine(::testing::ValuesIn(kForms), ::testing::ValuesIn(testing::all_kernels())),
                         form_name);

class StaticStages final : public StageObserver {
 public:
  using StageObserver::StageObserver;

  void see_byte_stage(std::string_view name, const ActivationQuantization&, std::span<const uint8_t> values) override {
    stages.push_back({std::string(name), {values.begin(), values.end()}});
  }
  std::vector<PlainStage> stages;
};

class StaticResNetOfForm : public ::testing::TestWithParam<std::tuple<Form, const Kernels*>> {};

TEST_P(StaticResNetOfForm, GivesTheIntegersOfTheDefinitionAtAnySize) {
  const auto& [form, kernels] = GetParam();
  const StaticFixture fixture = random_static_network(form);
  const auto network = make_network(*kernels, fixture.plain.table, fixture.tensors, 13);
  ASSERT_TRUE(network);
  for (const auto& [height, width] : kSizes) {
    SCOPED_TRACE(std::to_string(height) + " x " + std::to_string(width));
    const std::vector<float> image = generated_input(3, 3 * height * width);
    StaticStages seen(network->graph());
    const auto logits = network->logits(image, height, width, &seen);
    ASSERT_TRUE(logits) << logits.error().detail;
    const std::vector<PlainStage> expected = plain_stages(fixture.plain, image, height, width);
    ASSERT_EQ(seen.stages.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(seen.stages[i].name, expected[i].name);
      ASSERT_EQ(seen.stages[i].values, expected[i].values) << i << ", " << expected[i].name;
    }
    const ActivationQuantization& output = fixture.plain.table.linears.back().output;
    ASSERT_EQ(logits->size(), expected.back().values.size());
    for (size_t i = 0; i < logits->size(); ++i) {
      EXPECT_EQ((*logits)[i], output.scale * static_cast<float>(expected.back().values[i] - output.zero_point));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, StaticResNetOfForm,
                         ::testing::Combine(::testing::ValuesIn(kForms), ::testing::ValuesIn(testing::all_kernels())),
                         form_name);

// Scales of a hostile file: whatever comes out, it comes out.
TEST(StaticResNet, RunsWithScalesThatAreNotNumbers) {
  for (const float scale :
       {0.0F, -1.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    StaticFixture fixture = random_static_network(kForms[0]);
    for (ConvLayer& conv : fixture.plain.table.convs) conv.output.scale = scale;
    for (ActivationQuantization& entry : fixture.plain.table.activations) entry.scale = scale;
    for (const Kernels* kernels : testing::all_kernels()) {
      const auto network = make_network(*kernels, fixture.plain.table, fixture.tensors);
      ASSERT_TRUE(network);
      EXPECT_TRUE(network->logits(generated_input(3, 3 * 9 * 8), 9, 8));
    }
  }
}

TEST(StaticResNet, RejectsZeroPointsOfWeightsOutOfRange) {
  const StaticFixture fixture = random_static_network(kForms[0]);
  for (const int32_t zero_point : {kMaxZeroPoint + 1, -kMaxZeroPoint - 1, INT32_MAX, INT32_MIN}) {
    const auto loader = vision::make_loader(active_kernels(), fixture.plain.table);
    ASSERT_TRUE(loader);
    TensorInfo info = fixture.tensors[0].info;
    info.quantization.zero_point = zero_point;
    info.offset = 1234;
    const auto sink = (*loader)->tensor({info, true});
    ASSERT_FALSE(sink);
    EXPECT_EQ(sink.error().code, Code::format);
    EXPECT_EQ(sink.error().offset, 1234u);
    EXPECT_EQ(sink.error().tensor, info.name);
  }
}

}  // namespace
}  // namespace quintet::test
