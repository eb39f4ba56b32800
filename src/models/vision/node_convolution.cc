#include "models/vision/node_convolution.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/vision/dynamic_convolution.h"
#include "models/vision/float_convolution.h"
#include "models/vision/plan.h"

namespace quintet::vision {
namespace {

Status feed(std::span<const float> values, Result<std::unique_ptr<ByteSink>> opened) {
  QUINTET_TRY(const std::unique_ptr<ByteSink> sink, std::move(opened));
  QUINTET_CHECK(sink->write(std::as_bytes(values)));
  return sink->finish();
}

Origin origin_of(const Window& window, const FeatureMap<float>& x) {
  return {static_cast<ptrdiff_t>(zeros_of(window, x.height).before),
          static_cast<ptrdiff_t>(zeros_of(window, x.width).before)};
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

// Layer: FloatConvolution or DynamicConvolution.
template <class Layer>
Result<std::unique_ptr<ByteSink>> sink_of(Layer& layer, tinyruntime::TensorPart part, const TensorArrival& tensor) {
  return part == tinyruntime::TensorPart::weight ? layer.weight_sink(tensor) : layer.bias_sink(tensor);
}

class DenseConvolution final : public NodeConvolution {
 public:
  explicit DenseConvolution(FloatConvolution convolution) : convolution_(std::move(convolution)) {}

  uint64_t bytes() const override { return convolution_.bytes(); }
  Result<std::unique_ptr<ByteSink>> sink(tinyruntime::TensorPart part, const TensorArrival& tensor) override {
    return sink_of(convolution_, part, tensor);
  }
  Status apply(const Kernels& kernels, const Node& node, const FeatureMap<float>& x, FeatureMap<float>& y,
               const FloatEpilogue& epilogue, LayerScratch& scratch) const override {
    return convolution_.apply(kernels, x, origin_of(node.window, x), y, epilogue, scratch.floats);
  }

 private:
  FloatConvolution convolution_;
};

class QuantizedConvolution final : public NodeConvolution {
 public:
  explicit QuantizedConvolution(const ConvLayer& layer) : convolution_(layer) {}

  uint64_t bytes() const override { return convolution_.bytes(); }
  Result<std::unique_ptr<ByteSink>> sink(tinyruntime::TensorPart part, const TensorArrival& tensor) override {
    return sink_of(convolution_, part, tensor);
  }
  Status apply(const Kernels& kernels, const Node&, const FeatureMap<float>& x, FeatureMap<float>& y,
               const FloatEpilogue& epilogue, LayerScratch& scratch) const override {
    return convolution_.apply(kernels, x, y, epilogue, scratch.blocks);
  }

 private:
  DynamicConvolution convolution_;
};

// One group after the other, each as a separate convolution: a window of it is not contiguous in the whole map.
class GroupedConvolution final : public NodeConvolution {
 public:
  explicit GroupedConvolution(std::vector<FloatConvolution> groups) : groups_(std::move(groups)) {}

  uint64_t bytes() const override {
    uint64_t sum = 0;
    for (const FloatConvolution& group : groups_) sum += group.bytes();
    return sum;
  }
  Status apply(const Kernels& kernels, const Node& node, const FeatureMap<float>& x, FeatureMap<float>& y,
               const FloatEpilogue& epilogue, LayerScratch& scratch) const override {
    const Origin origin = origin_of(node.window, x);
    FeatureMap<float>&in = scratch.group_input, &out = scratch.group_output;
    QUINTET_CHECK(reshape(in, x.height, x.width, x.channels / groups_.size(), x.border));
    QUINTET_CHECK(reshape(out, y.height, y.width, y.channels / groups_.size(), 0));
    for (size_t group = 0; group < groups_.size(); ++group) {
      take_channels(x, group * in.channels, in);
      QUINTET_CHECK(groups_[group].apply(kernels, in, origin, out, epilogue, scratch.floats));
      put_channels(out, y, group * out.channels);
    }
    return {};
  }

 private:
  std::vector<FloatConvolution> groups_;
};

class DepthwiseConvolution final : public NodeConvolution {
 public:
  Status set(const Node& node, std::span<const float> weight, std::span<const float> bias) {
    const size_t channels = node.channels, taps = size_t{node.window.kernel} * node.window.kernel;
    QUINTET_CHECK(weight_.resize_uninitialized(weight.size()));
    QUINTET_CHECK(bias_.resize_uninitialized(bias.size()));
    for (size_t c = 0; c < channels; ++c) {
      for (size_t tap = 0; tap < taps; ++tap) weight_[tap * channels + c] = weight[c * taps + tap];
    }
    std::ranges::copy(bias, bias_.data());
    return {};
  }

  uint64_t bytes() const override { return (uint64_t{weight_.capacity()} + bias_.capacity()) * sizeof(float); }
  Status apply(const Kernels& kernels, const Node& node, const FeatureMap<float>& x, FeatureMap<float>& y,
               const FloatEpilogue& epilogue, LayerScratch&) const override {
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
    return {};
  }

 private:
  AlignedBuffer<float> weight_;  // [kernel][kernel][channels]
  AlignedBuffer<float> bias_;
};

Result<std::vector<FloatConvolution>> groups_of(const Node& node, uint32_t inputs, std::span<const float> weight,
                                                std::span<const float> bias) {
  ConvLayer layer = {.kernel = node.window.kernel, .stride = node.window.stride, .bias = true, .output = {}};
  layer.in_channels = inputs / node.groups;
  layer.out_channels = node.channels / node.groups;
  // Winograd's algorithm needs windows around each pixel: of one convolution, SAME pads as this does.
  layer.padding = node.window.padding.same ? (layer.kernel - 1) / 2 : node.window.padding.before;
  const size_t of_group = weight.size() / node.groups;
  std::vector<FloatConvolution> groups;
  for (uint32_t group = 0; group < node.groups; ++group) {
    FloatConvolution& convolution = groups.emplace_back(layer);
    TensorInfo biases;
    biases.shape = {layer.out_channels};
    QUINTET_CHECK(feed(weight.subspan(group * of_group, of_group),
                       convolution.weight_sink({.info = TensorInfo(), .bytes_exist = true})));
    QUINTET_CHECK(feed(bias.subspan(size_t{group} * layer.out_channels, layer.out_channels),
                       convolution.bias_sink({.info = biases, .bytes_exist = true})));
  }
  return groups;
}

}  // namespace

std::unique_ptr<NodeConvolution> float_convolution(const ConvLayer& layer) {
  return std::make_unique<DenseConvolution>(FloatConvolution(layer));
}

std::unique_ptr<NodeConvolution> dynamic_convolution(const ConvLayer& layer) {
  return std::make_unique<QuantizedConvolution>(layer);
}

Result<std::unique_ptr<NodeConvolution>> make_convolution(const Node& node, uint32_t input_channels,
                                                          std::span<const float> weight, std::span<const float> bias) {
  if (node.groups == node.channels && node.groups == input_channels && node.groups != 1) {
    auto depthwise = std::make_unique<DepthwiseConvolution>();
    QUINTET_CHECK(depthwise->set(node, weight, bias));
    return depthwise;
  }
  QUINTET_TRY(std::vector<FloatConvolution> groups, groups_of(node, input_channels, weight, bias));
  if (groups.size() == 1) return std::make_unique<DenseConvolution>(std::move(groups[0]));
  return std::make_unique<GroupedConvolution>(std::move(groups));
}

}  // namespace quintet::vision
