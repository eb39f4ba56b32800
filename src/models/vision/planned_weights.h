#pragma once
// The memory of a network's weights, before any is read.

#include <cstdint>
#include <vector>

#include "architectures/vision/graph.h"
#include "formats/model_description.h"

namespace quintet::vision {

struct PlannedWeights {
  uint64_t bytes = 0;    // of all layers
  uint64_t folding = 0;  // besides these, when GraphLoader makes the last ones
};

// `to_int8`: with quantized_pointwise (quantized_pointwise.h).
PlannedWeights plan_weights(const Graph& graph, const std::vector<TensorInfo>& tensors, bool to_int8);

}  // namespace quintet::vision
