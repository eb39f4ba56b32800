#include "architectures/vision/blocks.h"

#include <algorithm>

namespace quintet::vision {

ConvNames normalized(const std::string& name) { return {name + ".convolution", name + ".normalization"}; }

NodeId patches(GraphBuilder& b, NodeId x, const std::string& name, const Padding& padding) {
  return b.conv(x, {name}, {.stride = std::max(b.kernel(name), 1U), .padding = padding});
}

NodeId inverted_residual(GraphBuilder& b, NodeId x, const InvertedNames& names, const InvertedOptions& options) {
  const Activation activation = options.activation;
  const bool is_fused = names.depthwise.conv.empty();
  NodeId y = x;
  if (!names.expand.conv.empty()) {
    y = is_fused
            ? b.conv(y, names.expand, {.stride = options.stride, .activation = activation, .padding = options.padding})
            : b.conv(y, names.expand, {.activation = activation});
  }
  if (!is_fused) {
    y = b.conv(y, names.depthwise, {.stride = options.stride, .activation = activation, .padding = options.padding});
  }
  if (!names.reduce.empty()) y = b.squeeze_excite(y, names.reduce, names.excite, options.squeeze, options.gate);
  const bool may_add = options.has_shortcut && options.stride == 1;
  return b.conv(y, names.project, {.shortcut = may_add ? x : kNoNode});
}

NodeId residual_block(GraphBuilder& b, NodeId x, const ResidualNames& names, const ResidualOptions& options) {
  NodeId shortcut = x;
  if (!names.shortcut.conv.empty()) {
    uint32_t stride = options.stride;
    if (options.pools_shortcut && stride != 1) {
      // Only pixels that exist are averaged: an odd row or column at the end is alone.
      shortcut = b.average_pool(shortcut, {.kernel = 2, .stride = stride, .padding = {.same = true}});
      stride = 1;
    }
    shortcut = b.conv(shortcut, names.shortcut, {.stride = stride});
  }
  const size_t last = names.convs.size() - 1;
  const bool excites_last = !names.reduce.empty() && options.excited == last;
  NodeId y = x;
  for (size_t i = 0; i <= last; ++i) {
    ConvOptions conv = {.stride = i == options.strided ? options.stride : 1, .activation = Activation::relu};
    if (i == last) conv.addend = excites_last ? kNoNode : shortcut;
    if (i == last && excites_last) conv.activation = Activation::none;
    y = b.conv(y, names.convs[i], conv);
    if (names.reduce.empty() || i != options.excited) continue;
    y = b.squeeze_excite(y, names.reduce, names.excite, Activation::relu, Activation::sigmoid);
  }
  return excites_last ? b.sum(y, shortcut, Activation::relu) : y;
}

}  // namespace quintet::vision
