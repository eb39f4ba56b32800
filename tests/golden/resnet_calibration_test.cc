// The scales that calibration gives, against a look at the float network's activations.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "formats/tinyruntime/check.h"
#include "kernels/registry.h"
#include "models/vision/table_loader.h"
#include "runtime/convert/calibration/calibrator.h"
#include "tests/golden/resnet_fixture.h"

namespace quintet::test {
namespace {

using vision::ActivationSite;

constexpr size_t kSize = 64;

std::vector<float> picture(uint32_t seed) { return generated_input(seed, 3 * kSize * kSize); }

// Largest and smallest value, and how often, of every site.
class Extremes : public vision::NodeObserver {
 public:
  struct Site {
    float lower = 0, upper = 0;
    size_t times = 0;
  };

  void see_floats(vision::NodeId node, const vision::FeatureMap<float>& map) override {
    const ActivationSite& site = node_sites.at(node);
    if (site.kind == ActivationSite::Kind::none) return;
    auto& sites = site.kind == ActivationSite::Kind::entry  ? entries
                  : site.kind == ActivationSite::Kind::conv ? convs
                                                            : linears;
    sites.resize(std::max<size_t>(sites.size(), site.index + 1));
    Site& extremes = sites[site.index];
    for (const float value : vision::planes_of<float>(map, std::identity())) {
      extremes.lower = std::min(extremes.lower, value);
      extremes.upper = std::max(extremes.upper, value);
    }
    ++extremes.times;
  }

  std::vector<ActivationSite> node_sites;
  std::vector<Site> entries, convs, linears;
};

void expect_covers(const ActivationQuantization& quantization, const Extremes::Site& site) {
  EXPECT_NEAR(quantization.scale, (site.upper - site.lower) / 255, 1e-6F * site.upper);
  EXPECT_NEAR(quantization.zero_point, -site.lower / quantization.scale, 0.51);
}

bool same(const ActivationQuantization& a, const ActivationQuantization& b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

class Calibration : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    network_ = resnet_fixture(GetParam());
    graph_ = tinyruntime::checked_network(network_.table).value();
    auto calibrator = Calibrator::make(network_.table, network_.values, ObserverKind::min_max);
    ASSERT_TRUE(calibrator) << calibrator.error().detail;
    vision::TableGraph nodes = graph_of(network_.table, graph_, vision::Sums::in_nodes);
    seen_.node_sites = nodes.sites;
    std::vector<vision::NodeLayer> layers = float_layers(network_.table, nodes);
    vision::TableLoader<vision::ConvolutionPass> loader(active_kernels(), std::move(nodes), std::move(layers),
                                                        network_tensors(network_.table, graph_));
    const auto floats = load_network(loader, payloads_of(network_));
    ASSERT_TRUE(floats);
    for (const uint32_t seed : {1U, 2U}) {
      ASSERT_TRUE(calibrator->observe(picture(seed), kSize, kSize));
      ASSERT_TRUE(floats->logits(picture(seed), kSize, kSize, &seen_));
    }
    result_ = calibrator->quantization().value();
  }

  ResNetFixture network_;
  Extremes seen_;
  StaticQuantization result_;
  tinyruntime::Network graph_;
};

TEST_P(Calibration, EveryActivationHasTheScaleOfItsRange) {
  const LayerTable& table = result_.table;
  ASSERT_EQ(seen_.convs.size(), table.convs.size());
  for (size_t i = 0; i < table.convs.size(); ++i) expect_covers(table.convs[i].output, seen_.convs[i]);
  ASSERT_EQ(seen_.linears.size(), table.linears.size());
  for (size_t i = 0; i < table.linears.size(); ++i) expect_covers(table.linears[i].output, seen_.linears[i]);
  for (size_t i = 0; i < seen_.entries.size(); ++i) {
    if (seen_.entries[i].times != 0) expect_covers(table.activations[i], seen_.entries[i]);
  }
}

TEST_P(Calibration, EveryActivationThatIsReadWasObserved) {
  std::vector<uint32_t> read = {0};
  for (const tinyruntime::Block& block : graph_.blocks) read.push_back(block.sum_activation);
  if (graph_.tail == tinyruntime::Tail::concat) {
    read.insert(read.end(),
                {graph_.concatenation_activation(), graph_.linear_activation(0), graph_.linear_activation(1)});
  }
  ASSERT_EQ(seen_.entries.size(), read.back() + 1);
  for (const uint32_t entry : read) EXPECT_EQ(seen_.entries[entry].times, 2) << entry;
}

TEST_P(Calibration, TheTableIsCompleteAndRecognized) {
  const LayerTable& table = result_.table;
  EXPECT_EQ(table.kind, NetworkKind::sq8);
  EXPECT_TRUE(table.asymmetric);
  EXPECT_TRUE(tinyruntime::checked_network(table));
  for (const ActivationQuantization& activation : table.activations) {
    EXPECT_GT(activation.scale, 0);
    EXPECT_GE(activation.zero_point, 0);
    EXPECT_LE(activation.zero_point, 255);
  }
  // Where the reference exporter has them: the stem and its pooling, a block's convolutions before its sum.
  EXPECT_TRUE(same(table.activations[1], table.convs[0].output));
  EXPECT_TRUE(same(table.activations[2], table.convs[0].output));
  for (const tinyruntime::Block& block : graph_.blocks) {
    const uint32_t convs = block.conv_count + (block.downsample ? 1 : 0);
    for (uint32_t i = 0; i < convs; ++i) {
      const ActivationQuantization& entry = table.activations[block.sum_activation - convs + i];
      EXPECT_TRUE(same(entry, table.convs[block.first_conv + i].output)) << block.first_conv + i;
    }
  }
  EXPECT_TRUE(same(table.activations.back(), table.linears.back().output));
}

TEST_P(Calibration, WeightsUseAllOfTheirBytes) {
  const size_t convs = network_.weights.convs.size();
  ASSERT_EQ(result_.layers.size(), convs + network_.weights.linears.size());
  for (size_t i = 0; i < convs; ++i) {
    float max = 0;
    for (const float weight : network_.weights.convs[i].weight) max = std::max(max, std::abs(weight));
    EXPECT_FLOAT_EQ(result_.layers[i].weight_scale, max / 127) << i;
  }
  const auto input_scale = [](const StaticQuantization::Layer& layer) { return layer.bias_scale / layer.weight_scale; };
  const LayerTable& table = result_.table;
  const tinyruntime::Block& block = graph_.blocks[0];
  EXPECT_FLOAT_EQ(input_scale(result_.layers[0]), table.activations[0].scale);
  EXPECT_FLOAT_EQ(input_scale(result_.layers[1]), table.convs[0].output.scale);
  EXPECT_FLOAT_EQ(input_scale(result_.layers[2]), table.convs[1].output.scale);
  EXPECT_FLOAT_EQ(input_scale(result_.layers[block.last_conv() + (block.downsample ? 2 : 1)]),
                  table.activations[block.sum_activation].scale);
  EXPECT_FLOAT_EQ(input_scale(result_.layers[convs]), table.activations[graph_.linear_activation(0)].scale);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Calibration,
                         ::testing::Values("tinyruntime/r18-vanilla-bytes.bin", "tinyruntime/r18-plain-vanilla.bin",
                                           "resnet/r50-vanilla.bin"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

class Calibrating : public ::testing::Test {
 protected:
  Result<Calibrator> make() const { return Calibrator::make(network_.table, network_.values, ObserverKind::histogram); }

  ResNetFixture network_ = resnet_fixture("tinyruntime/small-vanilla.bin");
};

TEST_F(Calibrating, NeedsAtLeastOnePicture) {
  const auto calibrator = make();
  ASSERT_TRUE(calibrator);
  EXPECT_EQ(calibrator->quantization().error().code, Code::input);
}

TEST_F(Calibrating, RejectsPicturesThatAreNotFinite) {
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    auto calibrator = make();
    auto image = picture(1);
    image[7] = value;
    EXPECT_EQ(calibrator->observe(image, kSize, kSize).error().reason, Reason::out_of_range);
  }
}

TEST_F(Calibrating, RejectsWeightsThatAreNotFinite) {
  network_.values[2][0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(make().error().reason, Reason::out_of_range);
}

TEST_F(Calibrating, RejectsNetworksThatOverflow) {
  for (std::vector<float>& values : network_.values) {
    for (float& value : values) value *= 1e30F;
  }
  auto calibrator = make();
  ASSERT_TRUE(calibrator);
  EXPECT_EQ(calibrator->observe(picture(1), kSize, kSize).error().reason, Reason::out_of_range);
}

TEST_F(Calibrating, RejectsValuesThatDoNotMatchTheTable) {
  const ResNetFixture whole = network_;
  const auto refused = [&] {
    const auto calibrator = make();
    const bool is_refused = !calibrator && calibrator.error().code == Code::input;
    network_ = whole;
    return is_refused;
  };
  EXPECT_FALSE(refused());
  network_.values.pop_back();
  EXPECT_TRUE(refused());
  for (const size_t tensor : {size_t{0}, size_t{7}, whole.values.size() - 1}) {
    network_.values[tensor].pop_back();
    EXPECT_TRUE(refused()) << tensor;
    network_.values[tensor].clear();
    EXPECT_TRUE(refused()) << tensor;
  }
  network_.table.convs[2].in_channels += 1;
  EXPECT_TRUE(refused());
}

// Their biases would not fit an int32 beside the smallest weight scale.
TEST_F(Calibrating, LayersWithoutWeightsKeepTheirBiases) {
  std::ranges::fill(network_.values[0], 0.0F);
  std::ranges::fill(network_.values[1], 100.0F);
  auto calibrator = make();
  ASSERT_TRUE(calibrator && network_.table.convs[0].bias);
  ASSERT_TRUE(calibrator->observe(picture(1), kSize, kSize));
  EXPECT_LE(100 / calibrator->quantization()->layers[0].bias_scale, float(1 << 30) * 1.001F);
}

}  // namespace
}  // namespace quintet::test
