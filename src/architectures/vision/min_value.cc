#include "architectures/vision/min_value.h"

#include <algorithm>
#include <limits>

namespace quintet::vision {
namespace {

constexpr float kUnknown = -std::numeric_limits<float>::infinity();

// A little below the minima of the smooth functions.
float min_of(Activation activation) {
  switch (activation) {
    case Activation::none:
      return kUnknown;
    case Activation::silu:
      return -0.2785F;
    case Activation::gelu_erf:
    case Activation::gelu_tanh:
    case Activation::gelu_quick:
      return -0.1701F;
    case Activation::hard_swish:
      return -0.375F;
    default:
      return 0;
  }
}

bool is_factor(Activation activation) {
  return activation == Activation::sigmoid || activation == Activation::hard_sigmoid;
}

}  // namespace

float min_value(const Graph& graph, NodeId id) {
  const Node& node = graph.nodes[id];
  switch (node.op) {
    case Op::conv:
    case Op::sum:
      return min_of(node.activation);
    case Op::scale:
      // Factors from 0 to 1 bring negative values nearer to 0.
      if (!is_factor(graph.nodes[node.other].activation)) return kUnknown;
      [[fallthrough]];
    case Op::max_pool:
    case Op::average_pool:
    case Op::mean:
    case Op::maximum:
    case Op::subsample:
      return std::min(min_value(graph, node.input), 0.0F);
    default:
      return kUnknown;
  }
}

}  // namespace quintet::vision
