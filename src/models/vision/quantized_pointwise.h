#pragma once
// Convolutions of single pixels, and linear layers over tokens, in int8: weights with a scale for each output,
// activations with one for each pixel, which are quantized as the network runs. Windows of several pixels stay floats,
// because quantizing each of them costs more than the products save.

#include <memory>
#include <span>

#include "architectures/vision/graph.h"
#include "base/result.h"
#include "models/vision/node_convolution.h"

namespace quintet::vision {

// A MakeLayer. weight [out][inputs] and bias [out] must be finite.
Result<std::unique_ptr<NodeConvolution>> quantized_pointwise(const Graph& graph, NodeId node,
                                                             std::span<const float> weight,
                                                             std::span<const float> bias);

}  // namespace quintet::vision
