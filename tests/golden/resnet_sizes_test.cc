// Networks of random weights on pictures of any size, against their definitions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "formats/resnet_activations.h"
#include "formats/resnet_check.h"
#include "formats/resnet_tensors.h"
#include "models/resnet/network_loader.h"
#include "tests/formats/resnet_tables.h"
#include "tests/golden/plain_resnet.h"
#include "tests/golden/resnet_fixture.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

struct Form {
  const char* name;
  std::vector<int> blocks;
  bool bottleneck, cifar, concat;
  int32_t weight_zero_point;  // of static networks; the farthest that products may need to leave 16 bits for
};

const std::vector<Form> kForms = {
    {"resnet18", {2, 2, 2, 2}, false, false, true, 7},
    {"resnet18_plain", {2, 2, 2, 2}, false, false, false, 0},
    {"resnet18_far_zero_point", {2, 2, 2, 2}, false, false, false, -4000},
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

class Random {
 public:
  float between(float lower, float upper) { return std::uniform_real_distribution<float>(lower, upper)(engine_); }
  int32_t integer(int32_t lower, int32_t upper) {
    return std::uniform_int_distribution<int32_t>(lower, upper)(engine_);
  }

 private:
  std::mt19937 engine_{7};
};

template <class T>
std::vector<std::byte> bytes_of_values(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

class FloatResNetOfForm : public ::testing::TestWithParam<std::tuple<Form, const Kernels*>> {};

// Weights that keep the size of activations.
ResNetFixture random_float_network(const Form& form) {
  ResNetFixture network;
  network.table = resnet_table(form.blocks, form.bottleneck, form.cifar, form.concat);
  const ResNetGraph graph = checked_resnet(network.table).value();
  Random random;
  for (const ResNetTensor& tensor : resnet_tensors(network.table, graph)) {
    const bool weight = tensor.part == ResNetPart::weight, variance = tensor.name.ends_with("running_var");
    const float inputs = static_cast<float>(tensor.elements() / tensor.shape[0]);
    const float most = weight ? std::sqrt(6 / inputs) : 1;
    std::vector<float> values(tensor.elements());
    for (float& value : values) value = random.between(variance ? 0.5F : -most, most);
    network.values.push_back(std::move(values));
  }
  network.weights = weights_of(network.table, network.values);
  return network;
}

TEST_P(FloatResNetOfForm, FollowsTheDefinitionAtAnySize) {
  const auto& [form, kernels] = GetParam();
  const ResNetFixture fixture = random_float_network(form);
  const auto network = resnet::FloatNetwork::make(*kernels, fixture.table, fixture.weights);
  ASSERT_TRUE(network) << network.error().detail;
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

struct StaticFixture {
  PlainStaticNetwork plain;
  std::vector<TensorPayload> tensors;
};

// Activations of about -3 to 3, which the bytes of every layer cover in a way of its own.
ActivationQuantization random_activation(Random& random) {
  return {.scale = random.between(0.02F, 0.03F), .zero_point = random.integer(0, 100)};
}

void add_tensor(StaticFixture& fixture, const ResNetTensor& tensor, Quantization quantization,
                std::vector<std::byte> bytes) {
  TensorInfo info{.name = tensor.name, .quantization = quantization, .shape = tensor.shape, .bytes = bytes.size()};
  fixture.tensors.push_back({std::move(info), std::move(bytes)});
}

StaticFixture random_static_network(const Form& form) {
  StaticFixture fixture;
  PlainStaticNetwork& plain = fixture.plain;
  Random random;
  plain.table = resnet_table(form.blocks, form.bottleneck, form.cifar, form.concat);
  LayerTable& table = plain.table;
  table.convs[1].bias = false;
  for (ConvLayer& conv : table.convs) conv.output = random_activation(random);
  for (LinearLayer& linear : table.linears) linear.output = random_activation(random);
  const ResNetGraph graph = checked_resnet(table).value();
  for (uint32_t i = 0; i < graph.least_activations(); ++i) table.activations.push_back(random_activation(random));
  table.kind = NetworkKind::sq8;

  const std::vector<ActivationQuantization> inputs = layer_inputs(table, graph);
  plain.layers.resize(inputs.size());
  plain.norms.resize(table.batch_norms.size());
  for (const ResNetTensor& tensor : resnet_tensors(table, graph)) {
    if (tensor.part == ResNetPart::batch_norm) {
      std::vector<float> values(tensor.elements());
      for (float& value : values) value = random.between(0.5F, 1.5F);
      auto& norm = plain.norms[tensor.layer];
      *std::ranges::find_if(norm, [](const auto& array) { return array.empty(); }) = values;
      add_tensor(fixture, tensor, {}, bytes_of_values(values));
      continue;
    }
    PlainStaticLayer& layer = plain.layers[tensor.layer];
    if (tensor.part == ResNetPart::bias) {
      const float scale = layer.scale * inputs[tensor.layer].scale;
      for (uint64_t i = 0; i < tensor.elements(); ++i) {
        layer.bias.push_back(static_cast<int32_t>(std::lround(random.between(-0.5F, 0.5F) / scale)));
      }
      add_tensor(fixture, tensor, {.scheme = Scheme::tensor_int32, .scale = scale}, bytes_of_values(layer.bias));
      continue;
    }
    const auto inputs_of_output = static_cast<float>(tensor.elements() / tensor.shape[0]);
    layer.zero_point = form.weight_zero_point;
    const float largest = 73 + 20 * std::abs(static_cast<float>(layer.zero_point));
    layer.scale = std::sqrt(2 / inputs_of_output) / largest;
    for (uint64_t i = 0; i < tensor.elements(); ++i)
      layer.weight.push_back(static_cast<int8_t>(random.integer(-128, 127)));
    add_tensor(fixture, tensor, {.scheme = Scheme::tensor_int8, .scale = layer.scale, .zero_point = layer.zero_point},
               bytes_of_values(layer.weight));
  }
  return fixture;
}

class StaticStages final : public resnet::StageObserver {
 public:
  void see_bytes(std::string_view name, const ActivationQuantization&, std::span<const uint8_t> values) override {
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
    StaticStages seen;
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
TEST(StaticResNet, RunsWithScalesThatAreNoNumbers) {
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

TEST(StaticResNet, RefusesZeroPointsOfWeightsThatAreTooFar) {
  const StaticFixture fixture = random_static_network(kForms[0]);
  for (const int32_t zero_point : {kMostZeroPoint + 1, -kMostZeroPoint - 1, INT32_MAX, INT32_MIN}) {
    resnet::NetworkLoader loader(active_kernels());
    ASSERT_TRUE(loader.begin(fixture.plain.table));
    TensorInfo info = fixture.tensors[0].info;
    info.quantization.zero_point = zero_point;
    info.offset = 1234;
    const auto sink = loader.tensor(info, true);
    ASSERT_FALSE(sink);
    EXPECT_EQ(sink.error().code, Code::format);
    EXPECT_EQ(sink.error().offset, 1234u);
    EXPECT_EQ(sink.error().tensor, info.name);
  }
}

}  // namespace
}  // namespace quintet::test
