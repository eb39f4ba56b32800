#include "models/resnet/dynamic_convolution.h"

#include <algorithm>

#include "models/resnet/feature_map.h"
#include "models/resnet/weight_sinks.h"
#include "models/resnet/work_shares.h"
#include "models/tensor_sinks.h"

namespace quintet::resnet {
namespace {

// Both blocks of a product together stay in the cache.
constexpr size_t kWindowBytes = 192 * 1024;
constexpr size_t kPanelBytes = 96 * 1024;

// Operations for quantizing a value, relative to a multiplication.
constexpr size_t kQuantizingCost = 8;

// Number of items per block if `count` items of `bytes` each are divided into equal blocks of at most `most_bytes`; at
// least one.
size_t equal_block(size_t count, size_t bytes, size_t most_bytes) {
  const size_t most = std::max<size_t>(most_bytes / bytes, 1);
  const size_t blocks = (count + most - 1) / most;
  return (count + blocks - 1) / blocks;
}

// The old contents of the buffer are not needed.
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

// Shared by the steps of a layer.
struct DynamicConvolution::Step {
  const Kernels& kernels;
  const ConvLayer& layer;
  const FeatureMap<float>& x;
  const Im2colGroups groups;
  const PairedMatrix& w;
  FeatureMap<float>& y;
  const FloatEpilogue& epilogue;
  const LayerWork work;

  size_t window_values() const { return w.segments() * w.pairs() * 2; }
  size_t windows_at_once() const { return equal_block(work.outputs, window_values() * sizeof(int16_t), kWindowBytes); }
  size_t panels_at_once() const { return equal_block(work.panels, work.panel_values * sizeof(int16_t), kPanelBytes); }

  void quantize(size_t begin, size_t end, int16_t* q, float* scales) const {
    kernels.quantize_im2col(first_window(layer, x), im2col_view(layer, x), groups, begin, end, q, scales);
  }
  void multiply(const int16_t* q, const float* scales, const int16_t* panels, const ConvTile& tile) const {
    kernels.convolve_group_quantized(q, scales, w, panels, y.at(0, 0), grid_of(y), epilogue, tile);
  }
};

Status DynamicConvolution::apply(const Kernels& kernels, const FeatureMap<float>& x, FeatureMap<float>& y,
                                 FloatEpilogue epilogue, Scratch& scratch) const {
  epilogue.bias = bias_.size() == 0 ? nullptr : bias_.data();
  const Step step = {
      .kernels = kernels,
      .layer = layer_,
      .x = x,
      .groups = {.channels = x.channels, .group = weight_.length(), .asymmetric = asymmetric_},
      .w = weight_,
      .y = y,
      .epilogue = epilogue,
      .work = {.outputs = y.positions(),
               .panels = weight_.panels(),
               .input_values = size_t{layer_.stride} * layer_.stride * layer_.in_channels,
               .panel_values = weight_.panel_values()},
  };
  return step.panels_at_once() == weight_.panels() ? share_windows(step, scratch) : share_panels(step, scratch);
}

// Widens all panels once; each thread quantizes a block of windows at a time.
Status DynamicConvolution::share_windows(const Step& step, Scratch& scratch) {
  const LayerWork& work = step.work;
  const size_t windows = step.windows_at_once();
  const size_t q_values = windows * step.window_values(), scale_values = windows * step.w.segments();
  QUINTET_TRY(int16_t* const panels, room(scratch.panels, uint64_t{work.panels} * work.panel_values));
  QUINTET_TRY(int16_t* const q_blocks, room(scratch.windows, uint64_t{thread_count()} * q_values));
  QUINTET_TRY(float* const scale_blocks, room(scratch.scales, uint64_t{thread_count()} * scale_values));
  widen_all_panels(step.kernels, step.w, panels);
  const OutputPartition shares = work.output_shares();
  parallel_for(shares.parts(), [&](size_t part, size_t thread) {
    int16_t* const q = q_blocks + thread * q_values;
    float* const scales = scale_blocks + thread * scale_values;
    const size_t end = shares.end(part);
    for (size_t begin = shares.begin(part), next; begin < end; begin = next) {
      next = std::min(begin + windows, end);
      step.quantize(begin, next, q, scales);
      step.multiply(q, scales, panels, {.begin = begin, .end = next, .panel_begin = 0, .panel_end = work.panels});
    }
  });
  return {};
}

// Quantizes a block of windows at a time; each thread widens a block of panels for it.
Status DynamicConvolution::share_panels(const Step& step, Scratch& scratch) {
  const LayerWork& work = step.work;
  const size_t windows = step.windows_at_once(), panels = step.panels_at_once();
  const size_t panel_values = panels * work.panel_values;
  QUINTET_TRY(int16_t* const q, room(scratch.windows, uint64_t{windows} * step.window_values()));
  QUINTET_TRY(float* const scales, room(scratch.scales, uint64_t{windows} * step.w.segments()));
  QUINTET_TRY(int16_t* const panel_blocks, room(scratch.panels, uint64_t{thread_count()} * panel_values));
  for (size_t begin = 0, end; begin < work.outputs; begin = end) {
    end = std::min(begin + windows, work.outputs);
    const Partition window_shares = shares_of(end - begin, step.window_values() * kQuantizingCost);
    parallel_for(window_shares.parts, [&](size_t part, size_t) {
      const size_t first = window_shares.begin(part);
      step.quantize(begin + first, begin + window_shares.end(part), q + first * step.window_values(),
                    scales + first * step.w.segments());
    });
    const PanelPartition shares(work.panels, uint64_t{end - begin} * work.panel_values);
    parallel_for(shares.parts(), [&](size_t part, size_t thread) {
      int16_t* const widened = panel_blocks + thread * panel_values;
      const size_t panel_end = shares.end(part);
      for (size_t panel = shares.begin(part), next; panel < panel_end; panel = next) {
        next = std::min(panel + panels, panel_end);
        step.kernels.widen_panels(step.w, panel, next, widened);
        step.multiply(q, scales, widened, {.begin = begin, .end = end, .panel_begin = panel, .panel_end = next});
      }
    });
  }
  return {};
}

}  // namespace quintet::resnet
