#include "models/vision/convolution_pass.h"

#include <algorithm>
#include <limits>

#include "models/vision/pooling.h"
#include "models/vision/tokens.h"

namespace quintet::vision {

Result<FeatureMap<float>> ConvolutionPass::result_of(NodeId id, const Node& node) {
  const Map& x = input_of(node);
  switch (node.op) {
    case Op::conv:
      return convolve(id, node);
    case Op::max_pool:
      return max_pool(kernels_.max_pool_f32, x, plan_[id].border);
    case Op::mean:
      return single_pixel(global_average(x));
    case Op::maximum:
      return single_pixel(global_max(x));
    case Op::subsample:
      return subsampled(x, node.channels, plan_[id].border);
    case Op::sum:
      return sum(id, node);
    case Op::concat:
      return joined(x, maps_[node.other]);
    case Op::batch_norm:
      return batch_norm(id, x);
    default:
      return fail(Code::internal, Reason::mismatch, "a pass over convolutions has another operation");
  }
}

std::vector<float> ConvolutionPass::values_of(NodeId id) const {
  const Map& y = maps_[id];
  std::vector<float> values;
  for (size_t p = 0; p < y.positions(); ++p) values.insert(values.end(), y.pixel(p), y.pixel(p) + y.channels);
  return values;
}

Result<FeatureMap<float>> ConvolutionPass::taken(NodeId from, NodeId id) {
  Map& x = maps_[from];
  if (plan_[from].last_reader == id && x.border == plan_[id].border) return std::move(x);
  QUINTET_TRY(Map copy, make(id));
  for (size_t p = 0; p < x.positions(); ++p) std::copy_n(x.pixel(p), x.channels, copy.pixel(p));
  return copy;
}

Result<FeatureMap<float>> ConvolutionPass::convolve(NodeId id, const Node& node) {
  QUINTET_TRY(Target y, target_of(id, node));
  QUINTET_CHECK(layers_[id].convolve(kernels_, node, input_of(node), y.addend, y.map, scratch_));
  return std::move(y.map);
}

Result<FeatureMap<float>> ConvolutionPass::sum(NodeId id, const Node& node) {
  const Map& other = maps_[node.other];
  QUINTET_TRY(Map y, taken(node.input, id));
  const float min = node.activation == Activation::relu ? 0 : -std::numeric_limits<float>::infinity();
  each_line(y, 1, [&](size_t line) {
    float* const to = y.pixel(line * y.width);
    const float* const from = other.pixel(line * y.width);
    for (size_t i = 0; i < y.width * y.channels; ++i) to[i] = std::max(to[i] + from[i], min);
  });
  return y;
}

Result<FeatureMap<float>> ConvolutionPass::batch_norm(NodeId id, const Map& x) const {
  QUINTET_TRY(Map y, single_pixel({x.pixel(0), x.channels}));
  normalize(layers_[id].weight(), {y.pixel(0), y.channels});
  return y;
}

}  // namespace quintet::vision
