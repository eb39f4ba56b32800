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
    add(Op::image, kNoNode, table_.convs[0].in_channels, {Site::Kind::entry, 0});
    NodeId x = conv(0, 0, Activation::relu);
    if (!network_.cifar) {
      Node& pool = add(Op::max_pool, x, channels(x));
      pool.window = {.kernel = 3, .stride = 2, .padding = {.before = 1, .after = 1}};
      x = last();
    }
    for (const Block& each : network_.blocks) x = block(each, x);
    network_.tail == tinyruntime::Tail::plain ? plain_tail(x) : concat_tail(x);
    return std::move(result_);
  }

 private:
  Node& add(Op op, NodeId input, uint32_t channels, Site site = {}) {
    result_.sites.push_back(site);
    Node& node = result_.graph.nodes.emplace_back();
    node.op = op;
    node.input = input;
    node.channels = channels;
    return node;
  }
  NodeId last() const { return static_cast<NodeId>(result_.graph.nodes.size() - 1); }
  uint32_t channels(NodeId node) const { return result_.graph.nodes[node].channels; }

  NodeId conv(uint32_t index, NodeId x, Activation activation) {
    const ConvLayer& layer = table_.convs[index];
    Node& node = add(Op::conv, x, layer.out_channels, {Site::Kind::conv, index});
    node.window = {layer.kernel, layer.stride, {.before = layer.padding, .after = layer.padding}};
    node.activation = activation;
    return result_.layers[index] = last();
  }

  NodeId linear(uint32_t index, NodeId x, Activation activation) {
    add(Op::conv, x, table_.linears[index].out_features, {Site::Kind::linear, index}).activation = activation;
    return result_.layers[table_.convs.size() + index] = last();
  }

  // A ReLU follows every convolution except the last, to which the shortcut is added first.
  NodeId block(const Block& block, NodeId x) {
    NodeId y = conv(block.first_conv, x, Activation::relu);
    const NodeId shortcut = shortcut_of(block, x);
    for (uint32_t index = block.first_conv + 1; index != block.last_conv(); ++index) {
      y = conv(index, y, Activation::relu);
    }
    y = conv(block.last_conv(), y, Activation::none);
    if (sums_ == Sums::in_nodes) add(Op::sum, y, channels(y));
    Node& sum = result_.graph.nodes.back();
    sum.other = shortcut;
    sum.activation = Activation::relu;
    result_.sites.back() = {Site::Kind::entry, block.sum_activation};
    return last();
  }

  NodeId shortcut_of(const Block& block, NodeId x) {
    if (block.downsample) return conv(block.downsample_conv(), x, Activation::none);
    if (block.stride == 1) return x;
    add(Op::subsample, x, table_.convs[block.last_conv()].out_channels).window.stride = 2;
    return last();
  }

  // The averages are quantized as the sum of the last block, whose range includes them.
  void plain_tail(NodeId x) {
    add(Op::mean, x, channels(x));
    result_.graph.features = last();
    linear(0, last(), Activation::none);
  }

  void concat_tail(NodeId x) {
    add(Op::maximum, x, channels(x));
    const NodeId maxima = last();
    add(Op::mean, x, channels(x));
    const NodeId averages = last();
    add(Op::concat, maxima, 2 * channels(x), {Site::Kind::entry, network_.concatenation_activation()}).other = averages;
    x = linear(0, batch_norm(0, last()), Activation::relu);
    result_.graph.features = batch_norm(1, x);
    linear(1, result_.graph.features, Activation::none);
  }

  NodeId batch_norm(uint32_t index, NodeId x) {
    add(Op::batch_norm, x, channels(x), {Site::Kind::entry, network_.linear_activation(index)});
    return result_.layers[table_.convs.size() + table_.linears.size() + index] = last();
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
