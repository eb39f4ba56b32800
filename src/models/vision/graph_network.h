#pragma once
// A network in float32 that is computed node by node (architectures/vision/graph.h).

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "architectures/vision/graph.h"
#include "formats/model_sink.h"
#include "models/vision/node_layer.h"
#include "models/vision/pass.h"

namespace quintet::vision {

class GraphNetwork final : public ImageNetwork {
 public:
  // One layer per node.
  GraphNetwork(const Kernels& kernels, Graph graph, std::vector<NodeLayer> layers)
      : kernels_(kernels), graph_(std::move(graph)), layers_(std::move(layers)) {}

  const Graph& graph() const { return graph_; }
  uint32_t input_channels() const override { return graph_.input_channels(); }
  uint32_t classes() const override { return graph_.classes; }
  uint32_t features() const override { return graph_.nodes[graph_.features].channels; }
  uint32_t usual_input_size() const override { return graph_.input_size; }
  uint64_t bytes() const override;
  uint64_t work_bytes() const override;

  Result<std::unique_ptr<Pass>> start(std::span<const float> image, size_t height, size_t width,
                                      Output output) const override;

 private:
  const Kernels& kernels_;
  Graph graph_;
  std::vector<NodeLayer> layers_;
};

// Collects the tensors of a network, in any order, as floats. Once all are there, they are folded layer by layer, and
// what was collected for a layer is freed.
class GraphLoader {
 public:
  explicit GraphLoader(const Kernels& kernels, Graph graph);

  // Returns the sink for a tensor of the file; null if the network does not need it.
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor);
  // After the last tensor.
  Result<std::unique_ptr<ImageNetwork>> finish();

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
