#include "models/vision/dynamic_convolution.h"

#include "models/tensor_sinks.h"
#include "models/vision/feature_map.h"
#include "models/vision/weight_sinks.h"

namespace quintet::vision {
namespace {

class QuantizedLayer final : public BlockedLayer {
 public:
  struct Operands {
    const Kernels& kernels;
    const ConvLayer& layer;
    const FeatureMap<float>& x;
    Im2colGroups groups;
    const PairedMatrix& w;
    FeatureMap<float>& y;
    const FloatEpilogue& epilogue;
  };

  explicit QuantizedLayer(const Operands& operands) : BlockedLayer(work_of(operands)), in_(operands) {}

  void prepare_windows(size_t begin, size_t end, std::byte* windows, float* scales) const override {
    in_.kernels.quantize_im2col({.input = first_window(in_.layer, in_.x),
                                 .view = im2col_view(in_.layer, in_.x),
                                 .groups = in_.groups,
                                 .begin = begin,
                                 .end = end,
                                 .q = reinterpret_cast<int16_t*>(windows),
                                 .scales = scales});
  }
  void prepare_panels(size_t begin, size_t end, std::byte* panels) const override {
    in_.kernels.widen_panels(in_.w, begin, end, reinterpret_cast<int16_t*>(panels));
  }
  void multiply(const std::byte* windows, const float* scales, const std::byte* panels,
                const ConvTile& tile) const override {
    in_.kernels.convolve_group_quantized({.q = reinterpret_cast<const int16_t*>(windows),
                                          .scales = scales,
                                          .w = in_.w,
                                          .panels = reinterpret_cast<const int16_t*>(panels),
                                          .output = in_.y.at(0, 0),
                                          .grid = grid_of(in_.y)},
                                         in_.epilogue, tile);
  }

 private:
  static BlockedWork work_of(const Operands& in) {
    constexpr size_t kQuantizingCost = 4;  // per byte of the result
    // Both blocks of a product together stay in the cache.
    constexpr size_t kWindowBytes = 192 * 1024, kPanelBytes = 96 * 1024;
    return {.layer = LayerWork(in.layer, in.y.positions(), in.w.panels(), in.w.panel_values()),
            .windows_in_group = 1,
            .group_bytes = in.w.segments() * in.w.pairs() * 2 * sizeof(int16_t),
            .group_scales = in.w.segments(),
            .panel_bytes = in.w.panel_values() * sizeof(int16_t),
            .window_cost = kQuantizingCost,
            .max_window_bytes = kWindowBytes,
            .max_panel_bytes = kPanelBytes};
  }

  const Operands in_;
};

}  // namespace

Result<std::unique_ptr<ByteSink>> DynamicConvolution::weight_sink(const TensorArrival& tensor) {
  asymmetric_ = tensor.info.quantization.asymmetric;
  return grouped_weight_sink(tensor, weight_);
}

Result<std::unique_ptr<ByteSink>> DynamicConvolution::bias_sink(const TensorArrival& tensor) {
  return tensor_sink<SourceTypes::network>(tensor, bias_);
}

Status DynamicConvolution::apply(const Kernels& kernels, const FeatureMap<float>& x, FeatureMap<float>& y,
                                 FloatEpilogue epilogue, Scratch& scratch) const {
  epilogue.bias = bias_.size() == 0 ? nullptr : bias_.data();
  const Im2colGroups groups = {.channels = x.channels, .group = weight_.length(), .asymmetric = asymmetric_};
  return convolve(QuantizedLayer({kernels, layer_, x, groups, weight_, y, epilogue}), scratch);
}

}  // namespace quintet::vision
