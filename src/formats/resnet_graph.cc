#include "formats/resnet_graph.h"

#include <array>

namespace quintet {
namespace {

struct Architecture {
  std::string_view name;
  bool cifar;
  uint32_t convs_per_block;
  std::array<uint32_t, 4> blocks;  // of each stage
};

constexpr std::array<Architecture, 7> kArchitectures = {{
    {"ResNet-18", false, 2, {2, 2, 2, 2}},
    {"ResNet-34", false, 2, {3, 4, 6, 3}},
    {"ResNet-50", false, 3, {3, 4, 6, 3}},
    {"ResNet-20", true, 2, {3, 3, 3, 0}},
    {"ResNet-32", true, 2, {5, 5, 5, 0}},
    {"ResNet-44", true, 2, {7, 7, 7, 0}},
    {"ResNet-56", true, 2, {9, 9, 9, 0}},
}};

constexpr uint32_t kBottleneck = 3;

// A bottleneck widens fourfold, so that its first stage needs a convolution in the shortcut as well.
bool has_downsample(const Architecture& architecture, uint32_t stage, uint32_t index) {
  return !architecture.cifar && index == 0 && (stage != 0 || architecture.convs_per_block == kBottleneck);
}

std::vector<ResNetBlock> blocks_of(const Architecture& architecture) {
  std::vector<ResNetBlock> blocks;
  uint32_t conv = 1;        // behind the stem
  uint32_t activation = 2;  // behind the input and the stem (RULINGS "tinyRuntime" 5)
  for (uint32_t stage = 0; stage < architecture.blocks.size(); ++stage) {
    for (uint32_t index = 0; index < architecture.blocks[stage]; ++index) {
      ResNetBlock block{.stage = stage,
                        .index = index,
                        .stride = stage != 0 && index == 0 ? 2U : 1U,
                        .first_conv = conv,
                        .conv_count = architecture.convs_per_block,
                        .downsample = has_downsample(architecture, stage, index)};
      const uint32_t convs = block.conv_count + (block.downsample ? 1 : 0);
      conv += convs;
      activation += convs + 1;
      block.sum_activation = activation;
      blocks.push_back(block);
    }
  }
  return blocks;
}

uint32_t conv_count(const std::vector<ResNetBlock>& blocks) {
  const ResNetBlock& last = blocks.back();
  return last.first_conv + last.conv_count + (last.downsample ? 1 : 0);
}

}  // namespace

std::string_view name_of(ResNetTail tail) { return tail == ResNetTail::concat ? "concat" : "plain"; }

std::optional<ResNetTail> resnet_tail(uint32_t linears, uint32_t batch_norms) {
  if (linears == 2 && batch_norms == 2) return ResNetTail::concat;
  if (linears == 1 && batch_norms == 0) return ResNetTail::plain;
  return std::nullopt;
}

uint32_t ResNetGraph::linear_activation(uint32_t linear) const {
  return tail == ResNetTail::plain ? tail_activation : tail_activation + 6 + 3 * linear;
}

uint32_t ResNetGraph::least_activations() const { return linear_activation(tail == ResNetTail::plain ? 0 : 1) + 1; }

std::optional<ResNetGraph> resnet_of(uint32_t convolutions, ResNetTail tail) {
  for (const Architecture& architecture : kArchitectures) {
    ResNetGraph graph{.architecture = architecture.name, .cifar = architecture.cifar, .tail = tail, .blocks = {}};
    graph.blocks = blocks_of(architecture);
    if (conv_count(graph.blocks) != convolutions || (graph.cifar && tail != ResNetTail::plain)) continue;
    graph.tail_activation = graph.blocks.back().sum_activation;
    return graph;
  }
  return std::nullopt;
}

std::string_view supported_resnets() {
  return "20, 36, 53 (ResNet-18, 34, 50) and 19, 31, 43, 55 (ResNet-20, 32, 44, 56 of CIFAR)";
}

std::vector<ConvShape> conv_shapes(const ResNetGraph& graph) {
  std::vector<ConvShape> shapes;
  shapes.push_back(graph.cifar ? ConvShape{3, 1, 1} : ConvShape{7, 2, 3});
  for (const ResNetBlock& block : graph.blocks) {
    if (block.conv_count == kBottleneck) {
      // As torchvision: the stride is that of the 3x3 convolution ("v1.5").
      shapes.insert(shapes.end(), {{1, 1, 0}, {3, block.stride, 1}, {1, 1, 0}});
    } else {
      shapes.insert(shapes.end(), {{3, block.stride, 1}, {3, 1, 1}});
    }
    if (block.downsample) shapes.push_back({1, block.stride, 0});
  }
  return shapes;
}

}  // namespace quintet
