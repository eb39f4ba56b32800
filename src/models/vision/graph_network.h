#pragma once
// A network in float32 that is computed node by node (architectures/vision/graph.h).

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/vision/graph.h"
#include "formats/model_description.h"
#include "models/vision/network_loader.h"
#include "models/vision/node_layer.h"

namespace quintet::vision {

// One layer per node.
std::unique_ptr<ImageNetwork> make_network(const Kernels& kernels, Graph graph, std::vector<NodeLayer> layers);

// Makes the layer of a convolution from its weight [out][inputs / groups][kernel][kernel] and bias [out]; null where it
// stays in float32.
using MakeLayer = Result<std::unique_ptr<NodeConvolution>>(const Graph& graph, NodeId node,
                                                           std::span<const float> weight, std::span<const float> bias);

// Collects the tensors of a network, in any order, as floats. Once a layer's tensors are complete, they are folded and
// freed.
class GraphLoader final : public NetworkLoader {
 public:
  // `tensors`: of the file. `make_layer`: null for float32.
  GraphLoader(const Kernels& kernels, Graph graph, const std::vector<TensorInfo>& tensors,
              MakeLayer* make_layer = nullptr);

  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Result<std::unique_ptr<ImageNetwork>> finish() override;

 private:
  // The arrays of a node that the file has, until they are folded.
  struct Arrays {
    std::vector<std::string> names;
    std::vector<AlignedBuffer<float>> values;  // as names
    size_t arrived = 0;
  };

  void add_weight(NodeId node, const std::string& name, std::vector<float>& weight) const;
  Status check_finite(NodeId node) const;
  void fold_followers(NodeId node, std::span<float> weight, std::span<float> bias) const;
  Status fold_arrived();
  Status fold(NodeId node);
  std::span<const float> values_of(NodeId node, std::string_view name) const;

  const Kernels& kernels_;
  Graph graph_;
  std::vector<Arrays> arrays_;  // as nodes
  std::vector<NodeLayer> layers_;
  MakeLayer* make_layer_;
  std::optional<NodeId> arriving_;  // to which the last tensor belongs
};

}  // namespace quintet::vision
