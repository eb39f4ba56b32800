#include "models/vision/float_convolution.h"

#include "models/tensor_sinks.h"
#include "models/vision/weight_sinks.h"
#include "models/vision/winograd.h"
#include "models/vision/work_shares.h"

namespace quintet::vision {

FloatConvolution::FloatConvolution(const ConvLayer& layer)
    : layer_(layer),
      weight_(Storage::f32, layer.out_channels, size_t{layer.kernel} * layer.kernel * layer.in_channels) {}

Result<std::unique_ptr<ByteSink>> FloatConvolution::weight_sink(const TensorArrival& tensor) {
  if (tensor.bytes_exist) QUINTET_CHECK(weight_.reserve());
  return channels_last_sink<float>(
      layer_, [this](std::span<const float> row) { return weight_.append_rows(std::as_bytes(row).data(), 1); });
}

Result<std::unique_ptr<ByteSink>> FloatConvolution::bias_sink(const TensorArrival& tensor) {
  return tensor_sink<SourceTypes::plain>(tensor, bias_);
}

Status FloatConvolution::apply(const Kernels& kernels, const FeatureMap<float>& x, const Origin& origin,
                               FeatureMap<float>& y, FloatEpilogue epilogue, Scratch& scratch) const {
  epilogue.bias = bias_.size() == 0 ? nullptr : bias_.data();
  constexpr size_t kWinogradUnit = 4;
  // Used wherever possible: including all transforms, it is 1.9 times as fast as the direct algorithm at 64 channels of
  // 56x56, 2.0 at 128 of 28x28, 1.9 at 256 of 14x14, 1.5 at 512 of 7x7 and 1.4 at 16 of 32x32 (bench/native/kernels,
  // relaxed SIMD, Node 24).
  if (has_winograd_shape(layer_, kWinogradUnit)) {
    return winograd(
        WinogradKernels{kernels.winograd_input_f32, kernels.winograd_weights_f32, kernels.winograd_multiply_f32}, x,
        weight_, y, epilogue, scratch);
  }

  const LayerWork work(layer_, y.positions(), weight_.panels(), weight_.cols() * kPanelRows);
  // Blocks of outputs whose windows stay in the cache, unless the weights take more: each block reads them
  // all.
  const size_t block = work.has_more_weights() ? work.outputs : block_of(work.input_values * sizeof(float));
  const Im2colView view = im2col_view(layer_, x, y.width);
  const OutputGrid grid = grid_of(y);
  const ConvolveF32Operands operands = {
      .input = x.at(-origin.above, -origin.left), .view = view, .w = weight_, .output = y.at(0, 0), .grid = grid};
  const auto convolve = [&](size_t begin, size_t end, size_t panel_begin, size_t panel_end) {
    for (; begin < end; begin += block) {
      const ConvTile tile = {
          .begin = begin, .end = std::min(begin + block, end), .panel_begin = panel_begin, .panel_end = panel_end};
      kernels.convolve_f32(operands, epilogue, tile);
    }
  };
  if (work.has_more_weights()) {
    const PanelPartition shares = work.panel_shares();
    parallel_for(shares.parts(),
                 [&](size_t part, size_t) { convolve(0, work.outputs, shares.begin(part), shares.end(part)); });
  } else {
    const OutputPartition shares = work.output_shares();
    parallel_for(shares.parts(),
                 [&](size_t part, size_t) { convolve(shares.begin(part), shares.end(part), 0, work.panels); });
  }
  return {};
}

}  // namespace quintet::vision
