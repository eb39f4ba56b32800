#include "models/vision/node_layer.h"

#include <algorithm>

#include "models/tensor_sinks.h"

namespace quintet::vision {
namespace {

Status copy(std::span<const float> values, AlignedBuffer<float>& to) {
  QUINTET_CHECK(to.resize_uninitialized(values.size()));
  std::ranges::copy(values, to.data());
  return {};
}

Status feed(std::span<const float> values, Result<std::unique_ptr<ByteSink>> opened) {
  QUINTET_TRY(const std::unique_ptr<ByteSink> sink, std::move(opened));
  QUINTET_CHECK(sink->write(std::as_bytes(values)));
  return sink->finish();
}

Origin origin_of(const Window& window, const FeatureMap<float>& x) {
  return {static_cast<ptrdiff_t>(zeros_of(window, x.height).before),
          static_cast<ptrdiff_t>(zeros_of(window, x.width).before)};
}

FloatEpilogue epilogue_of(Activation activation, const float* residual) {
  FloatEpilogue epilogue = {.residual = residual};
  if (is_clamp(activation)) epilogue.min = 0;
  if (activation == Activation::relu6) epilogue.max = 6;
  return epilogue;
}

// Copies channels [begin, begin + to.channels) of a map, border included.
void take_channels(const FeatureMap<float>& from, size_t begin, FeatureMap<float>& to) {
  const auto border = static_cast<ptrdiff_t>(from.border);
  const size_t columns = from.width + 2 * from.border + 1, rows = from.height + 2 * from.border + 1;
  for (size_t row = 0; row < rows; ++row) {
    const float* source = from.at(static_cast<ptrdiff_t>(row) - border, -border) + begin;
    float* target = to.at(static_cast<ptrdiff_t>(row) - border, -border);
    for (size_t i = 0; i < columns; ++i, source += from.channels, target += to.channels) {
      std::copy_n(source, to.channels, target);
    }
  }
}

void put_channels(const FeatureMap<float>& from, FeatureMap<float>& to, size_t begin) {
  for (size_t p = 0; p < from.positions(); ++p) std::copy_n(from.pixel(p), from.channels, to.pixel(p) + begin);
}

// A map of these sizes, in memory that is used again.
Status reshape(FeatureMap<float>& map, size_t height, size_t width, size_t channels, size_t border) {
  if (map.height == height && map.width == width && map.channels == channels && map.border == border) return {};
  QUINTET_TRY(map, FeatureMap<float>::make(height, width, channels, border));
  return {};
}

}  // namespace

bool is_clamp(Activation activation) { return activation == Activation::relu || activation == Activation::relu6; }

NodeLayer::NodeLayer(const ConvLayer& layer, bool is_dynamic) {
  if (is_dynamic) {
    dynamic_.emplace(layer);
  } else {
    groups_.emplace_back(layer);
  }
}

Result<std::unique_ptr<ByteSink>> NodeLayer::sink(tinyruntime::TensorPart part, const TensorArrival& tensor) {
  if (part == tinyruntime::TensorPart::batch_norm) return tensor_sink<SourceTypes::network>(tensor, weight_);
  if (dynamic_)
    return part == tinyruntime::TensorPart::weight ? dynamic_->weight_sink(tensor) : dynamic_->bias_sink(tensor);
  return part == tinyruntime::TensorPart::weight ? groups_[0].weight_sink(tensor) : groups_[0].bias_sink(tensor);
}

Result<NodeLayer> NodeLayer::make(const Node& node, uint32_t input_channels, std::span<const float> weight,
                                  std::span<const float> bias) {
  NodeLayer layer;
  if (node.op != Op::conv) {
    QUINTET_CHECK(copy(weight, layer.weight_));
    QUINTET_CHECK(copy(bias, layer.bias_));
  } else if (node.groups == node.channels && node.groups == input_channels && node.groups != 1) {
    QUINTET_CHECK(layer.set_depthwise(node, weight));
    QUINTET_CHECK(copy(bias, layer.bias_));
  } else {
    QUINTET_CHECK(layer.set_dense(node, input_channels, weight, bias));
    QUINTET_CHECK(copy(bias, layer.bias_));
  }
  return layer;
}

Status NodeLayer::set_depthwise(const Node& node, std::span<const float> weight) {
  const size_t channels = node.channels, taps = size_t{node.window.kernel} * node.window.kernel;
  QUINTET_CHECK(weight_.resize_uninitialized(weight.size()));
  for (size_t c = 0; c < channels; ++c) {
    for (size_t tap = 0; tap < taps; ++tap) weight_[tap * channels + c] = weight[c * taps + tap];
  }
  return {};
}

Status NodeLayer::set_dense(const Node& node, uint32_t inputs, std::span<const float> weight,
                            std::span<const float> bias) {
  ConvLayer layer = {.kernel = node.window.kernel, .stride = node.window.stride, .bias = true, .output = {}};
  layer.in_channels = inputs / node.groups;
  layer.out_channels = node.channels / node.groups;
  // Winograd's algorithm needs windows around each pixel: of one convolution, SAME pads as this does.
  layer.padding = node.window.padding.same ? (layer.kernel - 1) / 2 : node.window.padding.before;
  const size_t of_group = weight.size() / node.groups;
  for (uint32_t group = 0; group < node.groups; ++group) {
    FloatConvolution& convolution = groups_.emplace_back(layer);
    TensorInfo biases;
    biases.shape = {layer.out_channels};
    QUINTET_CHECK(feed(weight.subspan(group * of_group, of_group),
                       convolution.weight_sink({.info = TensorInfo(), .bytes_exist = true})));
    QUINTET_CHECK(feed(bias.subspan(size_t{group} * layer.out_channels, layer.out_channels),
                       convolution.bias_sink({.info = biases, .bytes_exist = true})));
  }
  return {};
}

uint64_t NodeLayer::bytes() const {
  uint64_t sum = (uint64_t{weight_.capacity()} + bias_.capacity()) * sizeof(float);
  for (const FloatConvolution& group : groups_) sum += group.bytes();
  return dynamic_ ? sum + dynamic_->bytes() : sum;
}

Status NodeLayer::convolve(const Kernels& kernels, const Node& node, const FeatureMap<float>& x, const float* residual,
                           FeatureMap<float>& y, LayerScratch& scratch) const {
  const FloatEpilogue epilogue = epilogue_of(node.activation, residual);
  if (dynamic_) return dynamic_->apply(kernels, x, y, epilogue, scratch.dynamic);
  if (groups_.empty()) {
    convolve_depthwise(kernels, node, x, epilogue, y);
    return {};
  }
  const Origin origin = origin_of(node.window, x);
  if (groups_.size() != 1) return convolve_groups(kernels, x, epilogue, y, origin, scratch);
  return groups_[0].apply(kernels, x, origin, y, epilogue, scratch.convolution);
}

void NodeLayer::convolve_depthwise(const Kernels& kernels, const Node& node, const FeatureMap<float>& x,
                                   const FloatEpilogue& epilogue, FeatureMap<float>& y) const {
  FloatEpilogue with_bias = epilogue;
  with_bias.bias = bias_.data();
  const Origin origin = origin_of(node.window, x);
  const OutputGrid grid = grid_of(y);
  const DepthwiseF32Operands operands = {.input = x.at(-origin.above, -origin.left),
                                         .row_stride = x.row_stride(),
                                         .kernel = node.window.kernel,
                                         .stride = node.window.stride,
                                         .weight = weight_.data(),
                                         .output = y.at(0, 0),
                                         .grid = grid};
  const Partition rows = shares_of(y.height, uint64_t{y.width} * weight_.size());
  parallel_for(rows.parts, [&](size_t part, size_t) {
    kernels.depthwise_f32(operands, with_bias, rows.begin(part), rows.end(part));
  });
}

// One group after the other, each as a convolution of its own: a window of it is not contiguous in the whole map.
Status NodeLayer::convolve_groups(const Kernels& kernels, const FeatureMap<float>& x, const FloatEpilogue& epilogue,
                                  FeatureMap<float>& y, const Origin& origin, LayerScratch& scratch) const {
  FeatureMap<float>&in = scratch.group_input, &out = scratch.group_output;
  QUINTET_CHECK(reshape(in, x.height, x.width, x.channels / groups_.size(), x.border));
  QUINTET_CHECK(reshape(out, y.height, y.width, y.channels / groups_.size(), 0));
  for (size_t group = 0; group < groups_.size(); ++group) {
    take_channels(x, group * in.channels, in);
    QUINTET_CHECK(groups_[group].apply(kernels, in, origin, out, epilogue, scratch.convolution));
    put_channels(out, y, group * out.channels);
  }
  return {};
}

}  // namespace quintet::vision
