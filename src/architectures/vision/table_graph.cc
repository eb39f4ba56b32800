#include "architectures/vision/table_graph.h"

#include <string>
#include <utility>

namespace quintet::vision {
namespace {

using tinyruntime::Block;
using Site = ActivationSite;

class TableGraphBuilder {
 public:
  TableGraphBuilder(const LayerTable& table, const tinyruntime::Network& network, Sums sums)
      : table_(table), network_(network), sums_(sums) {
    result_.graph.family = network.architecture;
    result_.graph.input_size = network.usual_input_size();
    result_.graph.classes = table.classes;
    result_.layers.resize(table.convs.size() + table.linears.size() + table.batch_norms.size());
  }

  // The order of the nodes is that in which the original runtime computes.
  TableGraph build() && {
    NodeId x = add({.op = Op::image, .channels = table_.convs[0].in_channels}, {Site::Kind::entry, 0});
    x = conv(0, {.input = x, .activation = Activation::relu});
    if (!network_.cifar) {
      const Padding padding = {.before = 1, .after = 1};
      x = add({.op = Op::max_pool, .input = x, .window = {.kernel = 3, .stride = 2, .padding = padding}});
    }
    for (const Block& each : network_.blocks) x = block(each, x);
    network_.tail == tinyruntime::Tail::plain ? plain_tail(x) : concat_tail(x);
    return std::move(result_);
  }

 private:
  // By default as many channels as its input.
  NodeId add(Node node, Site site = {}) {
    if (node.channels == 0) node.channels = channels(node.input);
    result_.graph.nodes.push_back(std::move(node));
    result_.sites.push_back(site);
    return static_cast<NodeId>(result_.graph.nodes.size() - 1);
  }
  uint32_t channels(NodeId node) const { return result_.graph.nodes[node].channels; }

  // `layer`: as those of TableGraph.
  NodeId add_layer(size_t layer, Node node, Site site) { return result_.layers[layer] = add(std::move(node), site); }

  NodeId conv(uint32_t index, Node node, std::optional<Site> site = {}) {
    const ConvLayer& layer = table_.convs[index];
    node.op = Op::conv;
    node.channels = layer.out_channels;
    node.window = {layer.kernel, layer.stride, {.before = layer.padding, .after = layer.padding}};
    return add_layer(index, std::move(node), site.value_or(Site{Site::Kind::conv, index}));
  }

  NodeId linear(uint32_t index, NodeId x, Activation activation = Activation::none) {
    const uint32_t channels = table_.linears[index].out_features;
    return add_layer(table_.convs.size() + index,
                     {.op = Op::conv, .input = x, .channels = channels, .activation = activation},
                     {Site::Kind::linear, index});
  }

  // A ReLU follows every convolution except the last, to which the shortcut is added first.
  NodeId block(const Block& block, NodeId x) {
    NodeId y = conv(block.first_conv, {.input = x, .activation = Activation::relu});
    const NodeId shortcut = shortcut_of(block, x);
    for (uint32_t index = block.first_conv + 1; index != block.last_conv(); ++index) {
      y = conv(index, {.input = y, .activation = Activation::relu});
    }
    const Site site = {Site::Kind::entry, block.sum_activation};
    if (sums_ == Sums::in_convolutions) {
      return conv(block.last_conv(), {.input = y, .other = shortcut, .activation = Activation::relu}, site);
    }
    y = conv(block.last_conv(), {.input = y});
    return add({.op = Op::sum, .input = y, .other = shortcut, .activation = Activation::relu}, site);
  }

  NodeId shortcut_of(const Block& block, NodeId x) {
    if (block.downsample) return conv(block.downsample_conv(), {.input = x});
    if (block.stride == 1) return x;
    const uint32_t channels = table_.convs[block.last_conv()].out_channels;
    return add({.op = Op::subsample, .input = x, .window = {.kernel = 1, .stride = 2}, .channels = channels});
  }

  // The averages are quantized as the sum of the last block, whose range includes them.
  void plain_tail(NodeId x) {
    result_.graph.features = add({.op = Op::mean, .input = x});
    linear(0, result_.graph.features);
  }

  void concat_tail(NodeId x) {
    const NodeId maxima = add({.op = Op::maximum, .input = x}), averages = add({.op = Op::mean, .input = x});
    x = add({.op = Op::concat, .input = maxima, .other = averages, .channels = 2 * channels(x)},
            {Site::Kind::entry, network_.concatenation_activation()});
    x = linear(0, batch_norm(0, x), Activation::relu);
    result_.graph.features = batch_norm(1, x);
    linear(1, result_.graph.features);
  }

  NodeId batch_norm(uint32_t index, NodeId x) {
    return add_layer(table_.convs.size() + table_.linears.size() + index, {.op = Op::batch_norm, .input = x},
                     {Site::Kind::entry, network_.linear_activation(index)});
  }

  const LayerTable& table_;
  const tinyruntime::Network& network_;
  Sums sums_;
  TableGraph result_;
};

}  // namespace

TableGraph graph_of(const LayerTable& table, const tinyruntime::Network& network, Sums sums) {
  return TableGraphBuilder(table, network, sums).build();
}

std::vector<ActivationQuantization> quantizations_of(const LayerTable& table, const TableGraph& network) {
  std::vector<ActivationQuantization> quantizations;
  for (NodeId id = 0; id < network.sites.size(); ++id) {
    const auto& [kind, index] = network.sites[id];
    quantizations.push_back(kind == Site::Kind::entry    ? table.activations[index]
                            : kind == Site::Kind::conv   ? table.convs[index].output
                            : kind == Site::Kind::linear ? table.linears[index].output
                                                         : quantizations[network.graph.nodes[id].input]);
  }
  return quantizations;
}

}  // namespace quintet::vision
