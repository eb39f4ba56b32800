#pragma once
// The networks of tinyRuntime files as graphs.

#include <cstdint>
#include <vector>

#include "architectures/vision/graph.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/tinyruntime/tensors.h"

namespace quintet::vision {

// The quantizer of a node's result in a statically quantized network (docs/formats/tinyruntime.md, "Values").
struct ActivationSite {
  enum class Kind : uint8_t {
    none,    // what quantizes its input
    entry,   // LayerTable::activations[index]
    conv,    // LayerTable::convs[index].output
    linear,  // LayerTable::linears[index].output
  };
  Kind kind = Kind::none;
  uint32_t index = 0;

  bool operator==(const ActivationSite&) const = default;
};

struct TableGraph {
  Graph graph;
  std::vector<ActivationSite> sites;  // of each node
  std::vector<NodeId> layers;         // the nodes of the layers, numbered as those of tinyruntime::NetworkTensor
};

// Whether a shortcut is added by the convolution before it, or by its own node, as calibration needs it to see
// what a convolution alone computes.
enum class Sums : uint8_t { in_convolutions, in_nodes };

// Requires a table that was recognized as `network`.
TableGraph graph_of(const LayerTable& table, const tinyruntime::Network& network, Sums sums = Sums::in_convolutions);

// The quantizers of all nodes' results. Requires a table of kind sq8.
std::vector<ActivationQuantization> quantizations_of(const LayerTable& table, const TableGraph& network);

}  // namespace quintet::vision
