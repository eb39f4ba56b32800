#include "models/resnet/static_convolution.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "models/resnet/weight_sinks.h"
#include "models/resnet/winograd.h"

namespace quintet::resnet {
namespace {

constexpr uint32_t kLargestInput = 255;  // without its zero point

// Number of outputs from which Winograd's algorithm is faster, including its transforms, for any number of channels.
// Node 24, simd128, milliseconds with it and directly: 64 channels 56x56 1.6 and 2.8, 128 28x28 1.4 and 2.7, 256 14x14
// 1.4 and 2.7, 512 7x7 2.1 and 2.8, 4x4 0.87 and 0.94, 3x3 0.87 and 0.61; 16 channels 32x32 0.054 and 0.077
// (bench/kernels).
constexpr size_t kFewestForWinograd = 16;

class BiasSink final : public TensorSink {
 public:
  explicit BiasSink(AlignedBuffer<int32_t>& values) : values_(values) {}

  Status write(Bytes bytes) override {
    return elements_.feed(bytes, sizeof(int32_t), [this](Bytes elements) -> Status {
      const size_t begin = values_.size();
      QUINTET_CHECK(values_.resize_uninitialized(uint64_t{begin} + elements.size() / sizeof(int32_t)));
      std::memcpy(values_.data() + begin, elements.data(), elements.size());
      return {};
    });
  }
  Status finish() override { return {}; }

 private:
  AlignedBuffer<int32_t>& values_;
  UnitAssembler<> elements_;
};

}  // namespace

// The direct algorithm over a layer.
struct StaticConvolution::Convolve {
  ConvolveI16* kernel;
  const ConvLayer& layer;
  const FeatureMap<int16_t>& x;
  const PairedMatrix& w;
  FeatureMap<int16_t>& y;
  const StaticEpilogue& epilogue;

  // `panels`: widened, from those of the tile on.
  void operator()(const int16_t* panels, const ConvTile& tile) const {
    kernel(first_window(layer, x), im2col_view(layer, x), w, panels, y.at(0, 0), grid_of(y), epilogue, tile);
  }
};

// Zero points need memory for every row, so they are added when all rows are complete.
class StaticConvolution::WeightSink final : public TensorSink {
 public:
  WeightSink(StaticConvolution& convolution, int32_t zero_point)
      : convolution_(convolution),
        zero_point_(zero_point),
        rows_(row_sink<int8_t>(convolution.layer_, [&convolution, zero_point](std::span<const int8_t> row) {
          return convolution.append_row(row, zero_point);
        })) {}

  Status write(Bytes bytes) override { return rows_->write(bytes); }
  Status finish() override {
    QUINTET_CHECK(rows_->finish());
    rows_.reset();  // so that what stays is placed where its buffers were, not after them
    QUINTET_CHECK(convolution_.weight_.set_zero_point(zero_point_));
    if (convolution_.layer_.bias) return {};
    return convolution_.bias_.resize(convolution_.layer_.out_channels);
  }

 private:
  StaticConvolution& convolution_;
  int32_t zero_point_;
  std::unique_ptr<TensorSink> rows_;
};

StaticConvolution::StaticConvolution(const ConvLayer& layer, const ActivationQuantization& input)
    : layer_(layer),
      input_(input),
      weight_(layer.out_channels, layer.kernel, size_t{layer.kernel} * layer.in_channels) {}

Result<std::unique_ptr<TensorSink>> StaticConvolution::weight_sink(const TensorInfo& info, bool certain) {
  const int32_t zero_point = info.quantization.zero_point;
  if (zero_point < -kMaxZeroPoint || zero_point > kMaxZeroPoint) {
    return fail({.code = Code::format,
                 .reason = Reason::limit,
                 .detail = "a zero point of " + std::to_string(zero_point) + "; those of weights must be within +-" +
                           std::to_string(kMaxZeroPoint),
                 .offset = info.offset,
                 .tensor = info.name});
  }
  multiplier_ = info.quantization.scale * input_.scale / layer_.output.scale;
  if (certain) QUINTET_CHECK(weight_.reserve());
  return std::make_unique<WeightSink>(*this, zero_point);
}

Result<std::unique_ptr<TensorSink>> StaticConvolution::bias_sink(const TensorInfo&, bool certain) {
  if (certain) QUINTET_CHECK(bias_.reserve(layer_.out_channels));
  return std::make_unique<BiasSink>(bias_);
}

Status StaticConvolution::append_row(std::span<const int8_t> row, int32_t zero_point) {
  uint64_t sum = 0;
  for (const int8_t value : row) {
    const auto distance = static_cast<uint32_t>(std::abs(value - zero_point));
    largest_weight_ = std::max(largest_weight_, distance);
    sum += distance;
  }
  largest_sum_ = std::max(largest_sum_, sum);
  return weight_.append_row(row);
}

StaticEpilogue StaticConvolution::epilogue(bool relu) const {
  const ActivationQuantization& output = layer_.output;
  return {.bias = bias_.data(),
          .multiplier = multiplier_,
          .zero_point = output.zero_point,
          .least = relu ? output.zero_point : 0,
          .scale = output.scale};
}

// Transformed weights need 16 bits, and sums are four times too large until the end.
bool StaticConvolution::fits_winograd() const {
  constexpr size_t kUnit = 8;
  constexpr uint32_t kLargestWeight = 255;
  constexpr uint64_t kLargestSum = INT32_MAX / 4 / kLargestInput;
  return has_winograd_shape(layer_, kUnit) && largest_weight_ <= kLargestWeight && largest_sum_ <= kLargestSum;
}

Status StaticConvolution::apply(const Kernels& kernels, const FeatureMap<int16_t>& x, FeatureMap<int16_t>& y,
                                const StaticEpilogue& epilogue, Scratch& scratch) const {
  if (y.positions() >= kFewestForWinograd && fits_winograd()) {
    return winograd(
        WinogradKernels{kernels.winograd_input_i16, kernels.winograd_weights_i16, kernels.winograd_multiply_i16}, x,
        weight_, y, epilogue, scratch);
  }

  const size_t input_values = size_t{layer_.stride} * layer_.stride * layer_.in_channels;
  const LayerWork work = {.outputs = y.positions(),
                          .panels = weight_.panels(),
                          .input_values = input_values,
                          .panel_values = weight_.panel_values()};
  const Convolve convolve = {kernels.convolve_i16, layer_, x, weight_, y, epilogue};
  const bool all_at_once = block_of(work.panel_values * sizeof(int16_t)) >= work.panels;
  return all_at_once && !work.has_more_weights() ? share_outputs(kernels, work, convolve, scratch)
                                                 : share_panels(kernels, work, convolve, scratch);
}

// All panels are widened once.
Status StaticConvolution::share_outputs(const Kernels& kernels, const LayerWork& work, const Convolve& convolve,
                                        Scratch& scratch) const {
  QUINTET_TRY(int16_t* const panels, Scratch::room(scratch.weights, uint64_t{work.panels} * work.panel_values));
  widen_all_panels(kernels, weight_, panels);
  const OutputPartition shares = work.output_shares();
  parallel_for(shares.parts(), [&](size_t part, size_t) {
    convolve(panels,
             {.begin = shares.begin(part), .end = shares.end(part), .panel_begin = 0, .panel_end = work.panels});
  });
  return {};
}

// Each thread has a block of panels widened at a time.
Status StaticConvolution::share_panels(const Kernels& kernels, const LayerWork& work, const Convolve& convolve,
                                       Scratch& scratch) const {
  const size_t block = std::min(block_of(work.panel_values * sizeof(int16_t)), work.panels);
  const size_t block_values = block * work.panel_values;
  QUINTET_TRY(int16_t* const blocks, Scratch::room(scratch.weights, uint64_t{thread_count()} * block_values));
  const PanelPartition shares = work.panel_shares();
  parallel_for(shares.parts(), [&](size_t part, size_t thread) {
    int16_t* const panels = blocks + thread * block_values;
    const size_t end = shares.end(part);
    for (size_t panel = shares.begin(part), next; panel < end; panel = next) {
      next = std::min(panel + block, end);
      kernels.widen_panels(weight_, panel, next, panels);
      convolve(panels, {.begin = 0, .end = work.outputs, .panel_begin = panel, .panel_end = next});
    }
  });
  return {};
}

}  // namespace quintet::resnet
