#include "models/resnet/static_convolution.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "models/resnet/row_sink.h"
#include "models/resnet/winograd.h"

namespace quintet::resnet {
namespace {

constexpr uint32_t kLargestInput = 255;  // less its zero point

// Outputs from which on Winograd's algorithm is faster, its transforms included, whatever the channels. Node 24,
// simd128, milliseconds by it and directly: 64 channels 56x56 1.6 and 2.8, 128 28x28 1.4 and 2.7, 256 14x14 1.4
// and 2.7, 512 7x7 2.1 and 2.8, 4x4 0.87 and 0.94, 3x3 0.87 and 0.61; 16 channels 32x32 0.054 and 0.077
// (bench/kernels).
constexpr size_t kFewestForWinograd = 16;

class BiasSink final : public TensorSink {
 public:
  explicit BiasSink(AlignedBuffer<int32_t>& values) : values_(values) {}

  Status write(Bytes bytes) override {
    return elements_.feed(bytes, [this](const std::byte* source, size_t count) -> Status {
      const size_t begin = values_.size();
      QUINTET_CHECK(values_.resize_uninitialized(uint64_t{begin} + count));
      std::memcpy(values_.data() + begin, source, count * sizeof(int32_t));
      return {};
    });
  }
  Status finish() override { return {}; }

 private:
  AlignedBuffer<int32_t>& values_;
  UnitAssembler elements_{sizeof(int32_t)};
};

}  // namespace

// Zero points take memory for every row: they come when all rows are there.
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
  if (zero_point < -kMostZeroPoint || zero_point > kMostZeroPoint) {
    return fail({.code = Code::format,
                 .reason = Reason::limit,
                 .detail = "a zero point of " + std::to_string(zero_point) + "; those of weights lie within +-" +
                           std::to_string(kMostZeroPoint),
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

// Transformed weights take 16 bits, and sums are four times too large until the end.
bool StaticConvolution::fits_winograd() const {
  constexpr size_t kUnit = 8;
  constexpr uint32_t kLargestWeight = 255;
  constexpr uint64_t kLargestSum = INT32_MAX / 4 / kLargestInput;
  return has_winograd_shape(layer_, kUnit) && largest_weight_ <= kLargestWeight && largest_sum_ <= kLargestSum;
}

Status StaticConvolution::apply(const Kernels& kernels, const FeatureMap<int16_t>& x, FeatureMap<int16_t>& y,
                                const StaticEpilogue& epilogue, Scratch& scratch) const {
  const StaticConvolutionKernels& convolution = kernels.static_convolution;
  if (y.positions() >= kFewestForWinograd && fits_winograd()) {
    return winograd(convolution, x, weight_, y, epilogue, scratch);
  }

  const size_t block = std::min(block_of(weight_.panel_values() * sizeof(int16_t)), weight_.panels());
  QUINTET_TRY(int16_t* const panels, Scratch::room(scratch.weights, uint64_t{block} * weight_.panel_values()));
  for (size_t panel = 0; panel < weight_.panels(); panel += block) {
    const size_t panel_end = std::min(panel + block, weight_.panels());
    kernels.widen_panels(weight_, panel, panel_end, panels);
    const ConvTile tile = {.begin = 0, .end = y.positions(), .panel_begin = panel, .panel_end = panel_end};
    convolution.convolve(first_window(layer_, x), windows_of(layer_, x), weight_, panels, y.at(0, 0), grid_of(y),
                         epilogue, tile);
  }
  return {};
}

}  // namespace quintet::resnet
