#pragma once
// Lower bounds of what nodes compute, for any image. Activations that have one are quantized in finer steps.

#include "architectures/vision/graph.h"

namespace quintet::vision {

// No value of the node's map is less; -infinity if that is not known.
float min_value(const Graph& graph, NodeId node);

}  // namespace quintet::vision
