#include "models/resnet/dynamic_convolution.h"

#include <algorithm>
#include "models/resnet/convolution_geometry.h"
#include "models/resnet/dynamic_weights.h"

namespace quintet::resnet {
namespace {

// Both blocks of a product together stay in the cache.
constexpr size_t kWindowBytes = 192 * 1024;
constexpr size_t kPanelBytes = 96 * 1024;

// How many of `count` things of `bytes` each go into blocks of equal size that hold `most_bytes`, or one thing.
size_t block_of(size_t count, size_t bytes, size_t most_bytes) {
  const size_t most = std::max<size_t>(most_bytes / bytes, 1);
  const size_t blocks = (count + most - 1) / most;
  return (count + blocks - 1) / blocks;
}

}  // namespace

Result<std::unique_ptr<TensorSink>> DynamicConvolution::weight_sink(const TensorInfo& info, bool certain) {
  asymmetric_ = info.quantization.asymmetric;
  return grouped_weight_sink(info, certain, weight_);
}

Result<std::unique_ptr<TensorSink>> DynamicConvolution::bias_sink(const TensorInfo& info, bool certain) {
  return grouped_bias_sink(info, certain, bias_);
}

Status DynamicConvolution::apply(const Kernels& kernels, const FeatureMap<float>& x, FeatureMap<float>& y,
                                 FloatEpilogue epilogue, Scratch& scratch) const {
  epilogue.bias = bias_.size() == 0 ? nullptr : bias_.data();
  const WindowGroups groups = {.channels = x.channels, .group = weight_.length(), .asymmetric = asymmetric_};
  const size_t outputs = y.positions();
  const size_t panels = weight_.panels();
  const size_t window_values = weight_.segments() * weight_.pairs() * 2;
  const size_t windows_at_once = block_of(outputs, window_values * sizeof(int16_t), kWindowBytes);
  const size_t panels_at_once = block_of(panels, weight_.panel_values() * sizeof(int16_t), kPanelBytes);
  QUINTET_CHECK(scratch.windows.resize_uninitialized(uint64_t{windows_at_once} * window_values));
  QUINTET_CHECK(scratch.scales.resize_uninitialized(uint64_t{windows_at_once} * weight_.segments()));
  QUINTET_CHECK(scratch.panels.resize_uninitialized(uint64_t{panels_at_once} * weight_.panel_values()));

  const GroupedConvolutionKernels& convolution = kernels.grouped_convolution;
  ConvTile tile = {};
  for (tile.begin = 0; tile.begin < outputs; tile.begin = tile.end) {
    tile.end = std::min(tile.begin + windows_at_once, outputs);
    convolution.quantize_windows(first_window(layer_, x), windows_of(layer_, x), groups, tile.begin, tile.end,
                                 scratch.windows.data(), scratch.scales.data());
    for (tile.panel_begin = 0; tile.panel_begin < panels; tile.panel_begin = tile.panel_end) {
      tile.panel_end = std::min(tile.panel_begin + panels_at_once, panels);
      // Panels that are all there at once stay for the next windows.
      if (tile.begin == 0 || panels_at_once < panels) {
        kernels.widen_panels(weight_, tile.panel_begin, tile.panel_end, scratch.panels.data());
      }
      convolution.multiply(scratch.windows.data(), scratch.scales.data(), weight_, scratch.panels.data(), y.at(0, 0),
                           grid_of(y), epilogue, tile);
    }
  }
  return {};
}

}  // namespace quintet::resnet
