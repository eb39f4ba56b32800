// The supported networks, and every number of a table that can contradict another.

#include "formats/tinyruntime/check.h"

#include <gtest/gtest.h>

#include "formats/tinyruntime/tensors.h"
#include "tests/formats/resnet_tables.h"

namespace quintet::test {
namespace {

struct Known {
  const char* name;
  std::vector<int> blocks;
  bool bottleneck, cifar;
  size_t convs;
};

const std::vector<Known> kKnown = {
    {"ResNet-18", {2, 2, 2, 2}, false, false, 20}, {"ResNet-34", {3, 4, 6, 3}, false, false, 36},
    {"ResNet-50", {3, 4, 6, 3}, true, false, 53},  {"ResNet-20", {3, 3, 3}, false, true, 19},
    {"ResNet-32", {5, 5, 5}, false, true, 31},     {"ResNet-44", {7, 7, 7}, false, true, 43},
    {"ResNet-56", {9, 9, 9}, false, true, 55}};

TEST(TinyruntimeNetwork, KnowsTheSupportedNetworks) {
  for (const Known& known : kKnown) {
    for (const bool concat : {false, true}) {
      if (known.cifar && concat) continue;
      const LayerTable table = resnet_table(known.blocks, known.bottleneck, known.cifar, concat);
      ASSERT_EQ(table.convs.size(), known.convs);
      const auto graph = tinyruntime::recognise_network(table);
      ASSERT_TRUE(graph) << known.name << graph.error().detail;
      EXPECT_EQ(graph->architecture, known.name);
      EXPECT_EQ(graph->cifar, known.cifar);
      EXPECT_EQ(graph->tail, concat ? tinyruntime::Tail::concat : tinyruntime::Tail::plain);
    }
  }
}

// The counts in the table are worked out from its blocks; the graph's convolutions are counted one by one.
TEST(TinyruntimeNetwork, HasTheConvolutionsThatTheTableSays) {
  ASSERT_EQ(std::size(tinyruntime::kVariants), kKnown.size());
  for (size_t i = 0; i < kKnown.size(); ++i) {
    const tinyruntime::Variant& variant = tinyruntime::kVariants[i];
    EXPECT_EQ(variant.name, kKnown[i].name);
    EXPECT_EQ(variant.convolutions(), kKnown[i].convs) << variant.name;
    EXPECT_EQ(tinyruntime::find_variant(static_cast<uint32_t>(kKnown[i].convs)), &variant) << variant.name;
    EXPECT_EQ(conv_shapes(*tinyruntime::network_of(variant.convolutions(), tinyruntime::Tail::plain)).size(),
              kKnown[i].convs);
  }
}

TEST(TinyruntimeNetwork, NamesTheSupportedCounts) {
  EXPECT_EQ(tinyruntime::supported_networks(),
            "20, 36, 53 (ResNet-18, 34, 50) and 19, 31, 43, 55 (ResNet-20, 32, 44, 56 of CIFAR)");
}

TEST(TinyruntimeNetwork, KnowsWhichConvolutionIsTheShortcut) {
  const auto graph = tinyruntime::network_of(53, tinyruntime::Tail::plain);
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->blocks.size(), 16U);
  EXPECT_EQ(graph->blocks[0].first_conv, 1U);
  EXPECT_EQ(graph->blocks[0].last_conv(), 3U);
  EXPECT_TRUE(graph->blocks[0].downsample);
  EXPECT_EQ(graph->blocks[0].downsample_conv(), 4U);
  EXPECT_FALSE(graph->blocks[1].downsample);
  EXPECT_EQ(graph->blocks[1].first_conv, 5U);
  EXPECT_EQ(graph->blocks[3].stage, 1U);
  EXPECT_EQ(graph->blocks[3].stride, 2U);
}

TEST(TinyruntimeNetwork, CountsTheActivations) {
  // 2 + 13 blocks of 3 + 3 of 4, then + 9 for the second linear layer; that entry included.
  EXPECT_EQ(tinyruntime::network_of(36, tinyruntime::Tail::concat)->min_activations(), 2U + 13 * 3 + 3 * 4 + 9 + 1);
  EXPECT_EQ(tinyruntime::network_of(20, tinyruntime::Tail::plain)->min_activations(), 2U + 5 * 3 + 3 * 4 + 1);
  EXPECT_EQ(tinyruntime::network_of(53, tinyruntime::Tail::concat)->min_activations(), 2U + 12 * 4 + 4 * 5 + 9 + 1);
}

TEST(TinyruntimeNetwork, RejectsOtherCounts) {
  for (const uint32_t convs : {0U, 1U, 13U, 21U, 37U, 104U, 155U, UINT32_MAX})
    EXPECT_FALSE(tinyruntime::network_of(convs, tinyruntime::Tail::plain));
  EXPECT_FALSE(tinyruntime::network_of(19, tinyruntime::Tail::concat));
  EXPECT_FALSE(tinyruntime::tail_of(2, 1));
  EXPECT_FALSE(tinyruntime::tail_of(1, 1));
  EXPECT_FALSE(tinyruntime::tail_of(0, 0));
}

using Part = LayerField::Part;
using Name = LayerField::Name;

void expect_fault(const LayerTable& table, Part part, uint32_t index, Name name) {
  const auto graph = tinyruntime::recognise_network(table);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().field.part, part) << graph.error().detail;
  EXPECT_EQ(graph.error().field.index, index) << graph.error().detail;
  EXPECT_EQ(graph.error().field.name, name) << graph.error().detail;
  EXPECT_EQ(tinyruntime::checked_network(table).error().code, Code::input);
}

TEST(ResNetCheck, FindsTheWrongNumber) {
  const LayerTable good = resnet_table({2, 2, 2, 2}, false, false, true);
  const auto broken = [&good](auto change) {
    LayerTable table = good;
    change(table);
    return table;
  };
  expect_fault(broken([](LayerTable& t) { t.convs[7].kernel = 3; }), Part::conv, 7, Name::kernel);
  expect_fault(broken([](LayerTable& t) { t.convs[3].stride = 2; }), Part::conv, 3, Name::stride);
  expect_fault(broken([](LayerTable& t) { t.convs[3].padding = UINT32_MAX; }), Part::conv, 3, Name::padding);
  expect_fault(broken([](LayerTable& t) { t.convs[0].in_channels = 1; }), Part::conv, 0, Name::in);
  expect_fault(broken([](LayerTable& t) { t.convs[4].in_channels = 0; }), Part::conv, 4, Name::in);
  expect_fault(broken([](LayerTable& t) { t.convs[4].out_channels = kMaxChannels + 1; }), Part::conv, 4, Name::out);
  expect_fault(broken([](LayerTable& t) { t.convs[6].in_channels = 9; }), Part::conv, 6, Name::in);
  expect_fault(broken([](LayerTable& t) { t.convs[7].out_channels = 9; }), Part::conv, 7, Name::out);
  // An identity shortcut.
  expect_fault(broken([](LayerTable& t) { t.convs[2].out_channels = 8; }), Part::conv, 2, Name::out);
  expect_fault(broken([](LayerTable& t) { t.linears[0].in_features = 32; }), Part::linear, 0, Name::in);
  expect_fault(broken([](LayerTable& t) { t.batch_norms[0] = 32; }), Part::batch_norm, 0, Name::in);
  expect_fault(broken([](LayerTable& t) { t.batch_norms[1] = 6; }), Part::batch_norm, 1, Name::in);
  expect_fault(broken([](LayerTable& t) { t.linears[1].in_features = 6; }), Part::linear, 1, Name::in);
  expect_fault(broken([](LayerTable& t) { t.classes = 8; }), Part::table, 0, Name::classes);
  expect_fault(broken([](LayerTable& t) { t.batch_norms.pop_back(); }), Part::table, 0, Name::batch_norms);
  expect_fault(broken([](LayerTable& t) { t.linears.pop_back(); }), Part::table, 0, Name::linears);
  expect_fault(broken([](LayerTable& t) { t.convs.pop_back(); }), Part::table, 0, Name::convolutions);
}

TEST(ResNetCheck, StaticQuantizationNeedsItsActivations) {
  LayerTable table = resnet_table({2, 2, 2, 2}, false, false, true);
  table.kind = NetworkKind::sq8;
  table.activations.assign(38, {0.1F, 3});
  expect_fault(table, Part::table, 0, Name::activations);
  table.activations.push_back({0.1F, 255});
  EXPECT_TRUE(tinyruntime::recognise_network(table));
  table.activations[5].zero_point = 256;
  expect_fault(table, Part::activation, 5, Name::output_zero_point);
  table.convs[2].output.zero_point = -1;
  expect_fault(table, Part::conv, 2, Name::output_zero_point);
}

TEST(ResNetCheck, CifarShortcutsAddAnEvenNumberOfChannels) {
  LayerTable table = resnet_table({3, 3, 3}, false, true, false);
  for (size_t i = 7; i <= 12; ++i) {
    table.convs[i].out_channels = 7;
    table.convs[i + 1].in_channels = 7;
  }
  expect_fault(table, Part::conv, 8, Name::out);
}

TEST(ResNetTensors, HaveTorchvisionsNames) {
  const LayerTable table = resnet_table({2, 2, 2, 2}, false, false, true);
  const std::vector<tinyruntime::NetworkTensor> tensors =
      tinyruntime::network_tensors(table, *tinyruntime::recognise_network(table));
  ASSERT_EQ(tensors.size(), 20U * 2 + 3 + 8);
  EXPECT_EQ(tensors[0].name, "conv1.weight");
  EXPECT_EQ(tensors[0].shape, (std::vector<uint64_t>{4, 3, 7, 7}));
  EXPECT_EQ(tensors[1].name, "conv1.bias");
  EXPECT_EQ(tensors[14].name, "layer2.0.downsample.0.weight");
  EXPECT_EQ(tensors[14].shape, (std::vector<uint64_t>{8, 4, 1, 1}));
  EXPECT_EQ(tensors[40].name, "head.fc1.weight");
  EXPECT_EQ(tensors[41].name, "head.fc2.weight");
  EXPECT_EQ(tensors[46].name, "head.bn1.running_var");
  EXPECT_EQ(tensors[50].name, "head.bn2.running_var");
}

TEST(ResNetTensors, SortByTheirPositions) {
  for (const Known& known : kKnown) {
    const LayerTable table = resnet_table(known.blocks, known.bottleneck, known.cifar, !known.cifar);
    uint32_t before = 0;
    for (const tinyruntime::NetworkTensor& tensor :
         tinyruntime::network_tensors(table, *tinyruntime::recognise_network(table))) {
      const uint32_t position = tinyruntime::tensor_position(tensor.name);
      EXPECT_TRUE(position > before || tensor.name == "conv1.weight") << known.name << " " << tensor.name;
      before = position;
    }
    for (const char* other : {"", "conv1", "layer1.0.conv1", "layer1.0.bn1.weight", "fc.running", "layer1.conv1.weight",
                              "layer11.0.conv1.weight"}) {
      EXPECT_GT(tinyruntime::tensor_position(other), before) << other;
    }
  }
}

}  // namespace
}  // namespace quintet::test
