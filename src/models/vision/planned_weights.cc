#include "models/vision/planned_weights.h"

#include <algorithm>

#include "kernels/pointwise_i8.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::vision {
namespace {

class WeightPlanner {
 public:
  WeightPlanner(const Graph& graph, const std::vector<TensorInfo>& tensors, bool to_int8)
      : graph_(graph), lookup_(tensors), to_int8_(to_int8) {}

  PlannedWeights plan() {
    PlannedWeights planned;
    uint64_t most = 0;
    for (NodeId id = 1; id < graph_.nodes.size(); ++id) {
      const Node& node = graph_.nodes[id];
      const uint64_t values = values_of(node.parameters.weights);
      const uint64_t bias =
          sizeof(float) * (node.op == Op::conv ? 2 * uint64_t{node.channels} : values_of(node.parameters.biases));
      // A table is moved; the weights of all others are collected as floats, and copied to be folded.
      if (node.op != Op::embedding) most = std::max(most, planned.bytes + 2 * values * sizeof(float));
      planned.bytes += bias + (node.op == Op::conv ? convolution(node, values) : values * sizeof(float));
    }
    planned.folding = most - std::min(most, planned.bytes);
    return planned;
  }

 private:
  uint64_t values_of(const std::vector<std::string>& names) const {
    uint64_t values = 0;
    for (const std::string& name : names) {
      const TensorInfo* info = lookup_.find(name);
      if (info != nullptr) values += info->elements();
    }
    return values;
  }

  uint64_t convolution(const Node& node, uint64_t values) const {
    const uint64_t inputs = graph_.nodes[node.input].channels;
    if (node.groups == node.channels && node.groups == inputs && node.groups != 1) return values * sizeof(float);
    if (to_int8_ && node.window.kernel == 1 && node.window.stride == 1 && node.groups == 1 && inputs % kQuad == 0) {
      const size_t panels = PackedMatrix(Storage::f32, node.channels, 1).panels();
      return panels * PointwiseWeights{nullptr, nullptr, static_cast<size_t>(inputs / kQuad)}.panel_bytes();
    }
    const size_t rows = node.channels / node.groups;
    if (rows == 0) return 0;
    return node.groups * PackedMatrix(Storage::f32, rows, static_cast<size_t>(values / node.channels)).whole_bytes();
  }

  const Graph& graph_;
  const TensorLookup lookup_;
  bool to_int8_;
};

}  // namespace

PlannedWeights plan_weights(const Graph& graph, const std::vector<TensorInfo>& tensors, bool to_int8) {
  return WeightPlanner(graph, tensors, to_int8).plan();
}

}  // namespace quintet::vision
