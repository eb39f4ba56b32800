#include "models/vision/node_layer.h"

#include <algorithm>
#include <utility>

#include "models/tensor_sinks.h"

namespace quintet::vision {
namespace {

Status copy(std::span<const float> values, AlignedBuffer<float>& to) {
  QUINTET_CHECK(to.resize_uninitialized(values.size()));
  std::ranges::copy(values, to.data());
  return {};
}

FloatEpilogue epilogue_of(Activation activation, const float* residual) {
  FloatEpilogue epilogue = {.residual = residual};
  if (is_clamp(activation)) epilogue.min = 0;
  if (activation == Activation::relu6) epilogue.max = 6;
  return epilogue;
}

}  // namespace

bool is_clamp(Activation activation) { return activation == Activation::relu || activation == Activation::relu6; }

Result<NodeLayer> NodeLayer::make(const Node& node, uint32_t input_channels, std::span<const float> weight,
                                  std::span<const float> bias) {
  NodeLayer layer;
  if (node.op == Op::conv) {
    QUINTET_TRY(layer.convolution_, make_convolution(node, input_channels, weight, bias));
  } else {
    QUINTET_CHECK(copy(weight, layer.weight_));
  }
  QUINTET_CHECK(copy(bias, layer.bias_));
  return layer;
}

NodeLayer NodeLayer::of_table(AlignedBuffer<float> table, AlignedBuffer<float> positions) {
  NodeLayer layer;
  layer.weight_ = std::move(table);
  layer.bias_ = std::move(positions);
  return layer;
}

Result<std::unique_ptr<ByteSink>> NodeLayer::sink(tinyruntime::TensorPart part, const TensorArrival& tensor) {
  if (part == tinyruntime::TensorPart::batch_norm) return tensor_sink<SourceTypes::network>(tensor, weight_);
  return convolution_->sink(part, tensor);
}

uint64_t NodeLayer::bytes() const {
  const uint64_t own = (uint64_t{weight_.capacity()} + bias_.capacity()) * sizeof(float);
  return convolution_ ? own + convolution_->bytes() : own;
}

Status NodeLayer::convolve(const Kernels& kernels, const Node& node, const FeatureMap<float>& x, const float* residual,
                           FeatureMap<float>& y, LayerScratch& scratch) const {
  return convolution_->apply(kernels, node, x, y, epilogue_of(node.activation, residual), scratch);
}

}  // namespace quintet::vision
