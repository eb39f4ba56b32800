#pragma once
// A linear layer over tokens in int8: weights with a scale for each output, activations with one for each token.

#include <memory>
#include <span>

#include "architectures/vision/graph.h"
#include "base/result.h"
#include "models/vision/node_convolution.h"

namespace quintet::vision {

// A MakeLayer for layers over tokens without bounds. weight [out][inputs] and bias [out] must be finite.
Result<std::unique_ptr<NodeConvolution>> quantized_linear(const Graph& graph, NodeId node,
                                                          std::span<const float> weight, std::span<const float> bias);

}  // namespace quintet::vision
