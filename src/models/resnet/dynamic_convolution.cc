#include "models/resnet/dynamic_convolution.h"

#include <algorithm>

#include "models/resnet/convolution_geometry.h"
#include "models/resnet/convolution_scratch.h"
#include "models/resnet/dynamic_weights.h"
#include "models/tensor_sinks.h"

namespace quintet::resnet {
namespace {

// Both blocks of a product together stay in the cache.
constexpr size_t kWindowBytes = 192 * 1024;
constexpr size_t kPanelBytes = 96 * 1024;

// How many of `count` things of `bytes` each go into blocks of equal size that hold `most_bytes`, or one thing.
size_t equal_block(size_t count, size_t bytes, size_t most_bytes) {
  const size_t most = std::max<size_t>(most_bytes / bytes, 1);
  const size_t blocks = (count + most - 1) / most;
  return (count + blocks - 1) / blocks;
}

// What the buffer held is of no use.
template <class T>
Result<T*> room(AlignedBuffer<T>& buffer, uint64_t count) {
  return ConvolutionScratch<T>::room(buffer, count);
}

}  // namespace

Result<std::unique_ptr<TensorSink>> DynamicConvolution::weight_sink(const TensorInfo& info, bool certain) {
  asymmetric_ = info.quantization.asymmetric;
  return grouped_weight_sink(info, certain, weight_);
}

Result<std::unique_ptr<TensorSink>> DynamicConvolution::bias_sink(const TensorInfo& info, bool certain) {
  return decoding_sink(info, certain, bias_);
}

Status DynamicConvolution::apply(const Kernels& kernels, const FeatureMap<float>& x, FeatureMap<float>& y,
                                 FloatEpilogue epilogue, Scratch& scratch) const {
  epilogue.bias = bias_.size() == 0 ? nullptr : bias_.data();
  const WindowGroups groups = {.channels = x.channels, .group = weight_.length(), .asymmetric = asymmetric_};
  const size_t outputs = y.positions();
  const size_t panels = weight_.panels();
  const size_t window_values = weight_.segments() * weight_.pairs() * 2;
  const size_t windows_at_once = equal_block(outputs, window_values * sizeof(int16_t), kWindowBytes);
  const size_t panels_at_once = equal_block(panels, weight_.panel_values() * sizeof(int16_t), kPanelBytes);
  QUINTET_TRY(int16_t* const q, room(scratch.windows, uint64_t{windows_at_once} * window_values));
  QUINTET_TRY(float* const scales, room(scratch.scales, uint64_t{windows_at_once} * weight_.segments()));
  QUINTET_TRY(int16_t* const widened, room(scratch.panels, uint64_t{panels_at_once} * weight_.panel_values()));

  const GroupedConvolutionKernels& convolution = kernels.grouped_convolution;
  const auto multiply = [&](size_t begin, size_t end) {
    for (size_t panel = 0; panel < panels; panel += panels_at_once) {
      const size_t panel_end = std::min(panel + panels_at_once, panels);
      // Panels that are all there at once stay for the next windows.
      if (begin == 0 || panels_at_once < panels) kernels.widen_panels(weight_, panel, panel_end, widened);
      convolution.multiply(q, scales, weight_, widened, y.at(0, 0), grid_of(y), epilogue,
                           {.begin = begin, .end = end, .panel_begin = panel, .panel_end = panel_end});
    }
  };
  for (size_t begin = 0; begin < outputs; begin += windows_at_once) {
    const size_t end = std::min(begin + windows_at_once, outputs);
    convolution.quantize_windows(first_window(layer_, x), windows_of(layer_, x), groups, begin, end, q, scales);
    multiply(begin, end);
  }
  return {};
}

}  // namespace quintet::resnet
