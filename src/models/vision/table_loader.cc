#include "models/vision/table_loader.h"

#include "formats/tinyruntime/check.h"

namespace quintet::vision {
namespace {

// set(node, ConvLayer) for the nodes of all convolutions and linear layers.
template <class Set>
void each_layer(const LayerTable& table, const TableGraph& network, Set set) {
  size_t next = 0;
  for (const ConvLayer& conv : table.convs) set(network.layers[next++], conv);
  for (const LinearLayer& linear : table.linears) set(network.layers[next++], as_convolution(linear));
}

}  // namespace

std::vector<NodeLayer> float_layers(const LayerTable& table, const TableGraph& network) {
  std::vector<NodeLayer> layers(network.graph.nodes.size());
  each_layer(table, network,
             [&](NodeId node, const ConvLayer& layer) { layers[node] = NodeLayer(float_convolution(layer)); });
  return layers;
}

std::vector<NodeLayer> dynamic_layers(const LayerTable& table, const TableGraph& network) {
  std::vector<NodeLayer> layers(network.graph.nodes.size());
  each_layer(table, network,
             [&](NodeId node, const ConvLayer& layer) { layers[node] = NodeLayer(dynamic_convolution(layer)); });
  return layers;
}

std::vector<StaticLayer> static_layers(const LayerTable& table, const TableGraph& network) {
  std::vector<StaticLayer> layers;
  for (const ActivationQuantization& output : quantizations_of(table, network)) layers.push_back({.output = output});
  each_layer(table, network, [&](NodeId node, const ConvLayer& layer) {
    layers[node].convolution.emplace(layer, layers[network.graph.nodes[node].input].output);
  });
  return layers;
}

Result<std::unique_ptr<NetworkLoader>> make_loader(const Kernels& kernels, const LayerTable& table) {
  QUINTET_TRY(const tinyruntime::Network network, tinyruntime::checked_network(table));
  TableGraph graph = graph_of(table, network);
  std::vector<tinyruntime::NetworkTensor> tensors = network_tensors(table, network);
  if (table.kind == NetworkKind::sq8) {
    std::vector<StaticLayer> layers = static_layers(table, graph);
    return std::make_unique<TableLoader<StaticPass>>(kernels, std::move(graph), std::move(layers), std::move(tensors));
  }
  std::vector<NodeLayer> layers =
      table.kind == NetworkKind::dq8 ? dynamic_layers(table, graph) : float_layers(table, graph);
  return std::make_unique<TableLoader<ConvolutionPass>>(kernels, std::move(graph), std::move(layers),
                                                        std::move(tensors));
}

}  // namespace quintet::vision
