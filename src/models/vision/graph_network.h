#pragma once
// A network in float32 that is computed node by node (architectures/vision/graph.h).

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/vision/graph.h"
#include "models/vision/network_loader.h"
#include "models/vision/node_layer.h"

namespace quintet::vision {

// One layer per node.
std::unique_ptr<ImageNetwork> make_network(const Kernels& kernels, Graph graph, std::vector<NodeLayer> layers);

// Collects the tensors of a network, in any order, as floats. Once all are there, they are folded layer by layer, and
// what was collected for a layer is freed.
class GraphLoader final : public NetworkLoader {
 public:
  explicit GraphLoader(const Kernels& kernels, Graph graph);

  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Result<std::unique_ptr<ImageNetwork>> finish() override;

 private:
  // The arrays of a node, until they are folded; those that the file does not have stay empty.
  struct Arrays {
    std::vector<std::string> names;
    std::vector<AlignedBuffer<float>> values;  // as names
  };

  void expect(NodeId node, const std::string& name);
  void add_weight(NodeId node, const std::string& name, std::vector<float>& weight) const;
  Status check_finite(NodeId node) const;
  void fold_followers(NodeId node, std::span<float> weight, std::span<float> bias) const;
  Status fold(NodeId node);
  std::span<const float> values_of(NodeId node, std::string_view name) const;

  const Kernels& kernels_;
  Graph graph_;
  std::vector<Arrays> arrays_;  // as nodes
  std::vector<NodeLayer> layers_;
};

}  // namespace quintet::vision
