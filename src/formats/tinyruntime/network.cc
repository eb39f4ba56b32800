#include "formats/tinyruntime/network.h"

namespace quintet::tinyruntime {
namespace {

std::vector<Block> blocks_of(const Variant& variant) {
  std::vector<Block> blocks;
  uint32_t conv = 1;        // after the stem
  uint32_t activation = 2;  // after the input and the stem
  for (uint32_t stage = 0; stage < variant.blocks.size(); ++stage) {
    for (uint32_t index = 0; index < variant.blocks[stage]; ++index) {
      Block block{.stage = stage,
                  .index = index,
                  .stride = stage != 0 && index == 0 ? 2U : 1U,
                  .first_conv = conv,
                  .conv_count = variant.convs_per_block,
                  .downsample = variant.downsamples(stage, index)};
      const uint32_t convs = block.conv_count + (block.downsample ? 1 : 0);
      conv += convs;
      activation += convs + 1;
      block.sum_activation = activation;
      blocks.push_back(block);
    }
  }
  return blocks;
}

}  // namespace

std::string_view name_of(Tail tail) { return tail == Tail::concat ? "concat" : "plain"; }

uint32_t Network::linear_activation(uint32_t linear) const {
  return tail == Tail::plain ? tail_activation : tail_activation + 6 + 3 * linear;
}

uint32_t Network::min_activations() const { return linear_activation(tail == Tail::plain ? 0 : 1) + 1; }

std::optional<Network> network_of(uint32_t convolutions, Tail tail) {
  const Variant* const variant = find_variant(convolutions);
  if (variant == nullptr || (variant->cifar && tail != Tail::plain)) return std::nullopt;
  Network graph{.architecture = variant->name, .cifar = variant->cifar, .tail = tail, .blocks = blocks_of(*variant)};
  graph.tail_activation = graph.blocks.back().sum_activation;
  return graph;
}

// "20, 36, 53 (ResNet-18, 34, 50) and 19, ... (ResNet-20, ... of CIFAR)".
std::string supported_networks() {
  const auto list = [](bool cifar) {
    std::string counts, names = "ResNet-";
    for (const Variant& variant : kVariants) {
      if (variant.cifar != cifar) continue;
      const char* const comma = counts.empty() ? "" : ", ";
      counts += formatted("{}{}", comma, variant.convolutions());
      names.append(comma).append(variant.name.substr(variant.name.find('-') + 1));
    }
    return formatted("{} ({}", counts, names);
  };
  return formatted("{}) and {} of CIFAR)", list(false), list(true));
}

std::vector<ConvShape> conv_shapes(const Network& graph) {
  std::vector<ConvShape> shapes;
  shapes.push_back(graph.cifar ? ConvShape{3, 1, 1} : ConvShape{7, 2, 3});
  for (const Block& block : graph.blocks) {
    if (block.bottleneck()) {
      // As in torchvision, the stride is that of the 3x3 convolution ("v1.5").
      shapes.insert(shapes.end(), {{1, 1, 0}, {3, block.stride, 1}, {1, 1, 0}});
    } else {
      shapes.insert(shapes.end(), {{3, block.stride, 1}, {3, 1, 1}});
    }
    if (block.downsample) shapes.push_back({1, block.stride, 0});
  }
  return shapes;
}

std::vector<ActivationQuantization> layer_inputs(const LayerTable& table, const Network& graph) {
  std::vector<ActivationQuantization> inputs(table.convs.size());
  inputs[0] = table.activations[0];
  ActivationQuantization block_input = table.convs[0].output;  // pooling keeps it
  for (const Block& block : graph.blocks) {
    inputs[block.first_conv] = block_input;
    for (uint32_t i = block.first_conv + 1; i <= block.last_conv(); ++i) inputs[i] = table.convs[i - 1].output;
    if (block.downsample) inputs[block.downsample_conv()] = block_input;
    block_input = table.activations[block.sum_activation];
  }
  for (uint32_t i = 0; i < table.linears.size(); ++i) inputs.push_back(table.activations[graph.linear_activation(i)]);
  return inputs;
}

}  // namespace quintet::tinyruntime
