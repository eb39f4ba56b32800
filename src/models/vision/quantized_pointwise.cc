#include "models/vision/quantized_pointwise.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "architectures/vision/min_value.h"
#include "models/vision/blocked_layer.h"
#include "tensor/quantize.h"

namespace quintet::vision {
namespace {

class PointwiseLayer final : public BlockedLayer {
 public:
  struct Operands {
    const Kernels& kernels;
    const FeatureMap<float>& x;
    const PixelRange& range;
    const PointwiseWeights& w;
    size_t panels;
    FeatureMap<float>& y;
    const FloatEpilogue& epilogue;
  };

  explicit PointwiseLayer(const Operands& operands) : BlockedLayer(work_of(operands)), in_(operands) {}

  void prepare_windows(size_t begin, size_t end, std::byte* windows, float* scales) const override {
    in_.kernels.quantize_pixels({.input = in_.x.at(0, 0),
                                 .view = im2col_view(kSinglePixel, in_.x, in_.x.width),
                                 .range = in_.range,
                                 .begin = begin,
                                 .end = end,
                                 .q = reinterpret_cast<uint8_t*>(windows),
                                 .scales = scales});
  }
  void prepare_panels(size_t, size_t, std::byte*) const override {}
  void multiply(const std::byte* windows, const float* scales, const std::byte*, const ConvTile& tile) const override {
    in_.kernels.pointwise_i8({.q = reinterpret_cast<const uint8_t*>(windows),
                              .scales = scales,
                              .zero_point = in_.range.zero_point,
                              .w = in_.w,
                              .output = in_.y.at(0, 0),
                              .grid = grid_of(in_.y)},
                             in_.epilogue, tile);
  }

 private:
  static constexpr ConvLayer kSinglePixel = {.kernel = 1, .stride = 1, .output = {}};

  static BlockedWork work_of(const Operands& in) {
    constexpr size_t kQuantizingCost = 4;
    // The outputs of a block stay in the second-level cache: each panel writes half a line of all of them.
    constexpr size_t kPixelBytes = 192 * 1024, kOutputBytes = 256 * 1024;
    const size_t pixels_at_once = kOutputBytes / (in.y.channels * sizeof(float));
    LayerWork layer(kSinglePixel, in.x.positions(), in.panels, in.w.quads * kQuad * kPanelRows);
    layer.input_values = in.x.channels;
    return {.layer = layer,
            .windows_in_group = kInterleavedWindows,
            .group_bytes = in.w.quads * kQuad * kInterleavedWindows,
            .group_scales = kInterleavedWindows,
            .panel_bytes = 0,
            .window_cost = kQuantizingCost,
            .max_window_bytes = std::min(kPixelBytes, pixels_at_once * in.w.quads * kQuad),
            .max_panel_bytes = 0};
  }

  const Operands in_;
};

class QuantizedPointwise final : public NodeConvolution {
 public:
  QuantizedPointwise(size_t inputs, const PixelRange& range) : quads_(inputs / kQuad), range_(range) {}

  Status set(std::span<const float> weight, std::span<const float> bias) {
    const size_t inputs = weight.size() / bias.size(), panels = panels_of(bias.size());
    QUINTET_CHECK(panels_.resize(panels * weights().panel_bytes()));
    QUINTET_CHECK(scales_.resize(panels * kPanelRows));
    QUINTET_CHECK(bias_.resize(panels * kPanelRows));
    std::vector<int8_t> row(inputs);
    for (size_t n = 0; n < bias.size(); ++n) {
      scales_[n] = quantize_int8(weight.subspan(n * inputs, inputs), row);
      const int32_t sum = put(row, n);
      // The minimum was subtracted from every activation.
      bias_[n] = bias[n] + range_.min * scales_[n] * static_cast<float>(sum);
    }
    return {};
  }

  uint64_t bytes() const override {
    return panels_.capacity() + (uint64_t{scales_.capacity()} + bias_.capacity()) * sizeof(float);
  }

  Status apply(const Kernels& kernels, const Node&, const FeatureMap<float>& x, FeatureMap<float>& y,
               const FloatEpilogue& epilogue, LayerScratch& scratch) const override {
    FloatEpilogue with_bias = epilogue;
    with_bias.bias = bias_.data();
    return convolve(PointwiseLayer({kernels, x, range_, weights(), panels_of(bias_.size()), y, with_bias}),
                    scratch.blocks);
  }

 private:
  static size_t panels_of(size_t outputs) { return (outputs + kPanelRows - 1) / kPanelRows; }

  PointwiseWeights weights() const { return {panels_.data(), scales_.data(), quads_}; }

  // Puts the weights of an output and their sum in its place, and returns the sum.
  int32_t put(std::span<const int8_t> row, size_t n) {
    int8_t* const panel = panels_.data() + n / kPanelRows * weights().panel_bytes();
    const size_t lane = n % kPanelRows;
    int32_t sum = 0;
    for (size_t k = 0; k < row.size(); ++k) {
      panel[(k / kQuad * kPanelRows + lane) * kQuad + k % kQuad] = row[k];
      sum += row[k];
    }
    std::memcpy(panel + (quads_ * kPanelRows + lane) * kQuad, &sum, sizeof sum);
    return sum;
  }

  size_t quads_;
  PixelRange range_;
  AlignedBuffer<int8_t> panels_;
  AlignedBuffer<float> scales_, bias_;
};

}  // namespace

Result<std::unique_ptr<NodeConvolution>> quantized_pointwise(const Graph& graph, NodeId id,
                                                             std::span<const float> weight,
                                                             std::span<const float> bias) {
  const Node& node = graph.nodes[id];
  const auto& [kernel, stride, padding] = node.window;
  const bool is_pointwise = kernel == 1 && stride == 1 && node.groups == 1 && padding.before + padding.after == 0;
  const size_t inputs = graph.nodes[node.input].channels;
  // With more inputs a sum could exceed 32 bits.
  if (!is_pointwise || inputs % kQuad != 0 || inputs > kMaxGroupColumns) return nullptr;
  const float min = min_value(graph, node.input);
  auto layer = std::make_unique<QuantizedPointwise>(inputs, std::isinf(min) ? PixelRange() : PixelRange::from(min));
  QUINTET_CHECK(layer->set(weight, bias));
  return layer;
}

}  // namespace quintet::vision
