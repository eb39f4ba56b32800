#include "models/vision/static_convolution.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "models/vision/weight_sinks.h"
#include "models/vision/winograd.h"

namespace quintet::vision {
namespace {

constexpr uint32_t kLargestInput = 255;  // without its zero point

// The number of outputs from which Winograd's algorithm is faster, including its transforms, for any number of
// channels. Node 24, simd128, milliseconds with it and directly: 64 channels 56x56 1.6 and 2.8, 128 28x28 1.4 and 2.7,
// 256 14x14 1.4 and 2.7, 512 7x7 2.1 and 2.8, 4x4 0.87 and 0.94, 3x3 0.87 and 0.61; 16 channels 32x32 0.054 and 0.077
// (bench/native/kernels).
constexpr size_t kMinForWinograd = 16;

struct Operands {
  const Kernels& kernels;
  const ConvLayer& layer;
  const FeatureMap<int16_t>& x;
  int32_t zero_point;  // of x
  const PairedMatrix& w;
  FeatureMap<int16_t>& y;
  const StaticEpilogue& epilogue;

  LayerWork work() const { return {layer, y.positions(), w.panels(), w.panel_values()}; }
};

// Multiplies 16-bit integers. The kernel reads windows where they are.
class WordLayer final : public BlockedLayer {
 public:
  explicit WordLayer(const Operands& operands) : BlockedLayer(work_of(operands)), in_(operands) {}

  void prepare_windows(size_t, size_t, std::byte*, float*) const override {}
  void prepare_panels(size_t begin, size_t end, std::byte* panels) const override {
    in_.kernels.widen_panels(in_.w, begin, end, reinterpret_cast<int16_t*>(panels));
  }
  void multiply(const std::byte*, const float*, const std::byte* panels, const ConvTile& tile) const override {
    in_.kernels.convolve_i16({.input = first_window(in_.layer, in_.x),
                              .view = im2col_view(in_.layer, in_.x),
                              .w = in_.w,
                              .panels = reinterpret_cast<const int16_t*>(panels),
                              .output = in_.y.at(0, 0),
                              .grid = grid_of(in_.y)},
                             in_.epilogue, tile);
  }

 private:
  static BlockedWork work_of(const Operands& in) {
    constexpr size_t kWindowsAtOnce = 4;
    return {.layer = in.work(),
            .windows_in_group = kWindowsAtOnce,
            .group_bytes = 0,
            .group_scales = 0,
            .panel_bytes = in.w.panel_values() * sizeof(int16_t),
            .window_cost = 0,
            .max_window_bytes = 0,
            .max_panel_bytes = kBlockBytes};
  }

  const Operands in_;
};

// Multiplies bytes.
class ByteLayer final : public BlockedLayer {
 public:
  explicit ByteLayer(const Operands& operands) : BlockedLayer(work_of(operands)), in_(operands) {}

  void prepare_windows(size_t begin, size_t end, std::byte* windows, float*) const override {
    in_.kernels.interleave_windows({.input = first_window(in_.layer, in_.x),
                                    .view = im2col_view(in_.layer, in_.x),
                                    .zero_point = in_.zero_point,
                                    .begin = begin,
                                    .end = end,
                                    .q = reinterpret_cast<uint8_t*>(windows)});
  }
  void prepare_panels(size_t begin, size_t end, std::byte* panels) const override {
    in_.kernels.interleave_panels(in_.w, begin, end, reinterpret_cast<int8_t*>(panels));
  }
  void multiply(const std::byte* windows, const float*, const std::byte* panels, const ConvTile& tile) const override {
    in_.kernels.convolve_i8({.q = reinterpret_cast<const uint8_t*>(windows),
                             .zero_point = in_.zero_point,
                             .w = in_.w,
                             .panels = reinterpret_cast<const int8_t*>(panels),
                             .output = in_.y.at(0, 0),
                             .grid = grid_of(in_.y)},
                            in_.epilogue, tile);
  }

 private:
  static BlockedWork work_of(const Operands& in) {
    constexpr size_t kCopyingCost = 2;
    // Processors with a fused dot product have 1 MB of second-level cache or more.
    constexpr size_t kWindowBytes = 512 * 1024, kPanelBytes = 192 * 1024;
    return {.layer = in.work(),
            .windows_in_group = kInterleavedWindows,
            .group_bytes = interleaved_window_bytes(in.w),
            .group_scales = 0,
            .panel_bytes = interleaved_panel_bytes(in.w),
            .window_cost = kCopyingCost,
            .max_window_bytes = kWindowBytes,
            .max_panel_bytes = kPanelBytes};
  }

  const Operands in_;
};

class BiasSink final : public ByteSink {
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

// Zero points need memory for every row, so they are added when all rows are complete.
class StaticConvolution::WeightSink final : public ByteSink {
 public:
  WeightSink(StaticConvolution& convolution, int32_t zero_point)
      : convolution_(convolution),
        zero_point_(zero_point),
        rows_(channels_last_sink<int8_t>(convolution.layer_, [&convolution, zero_point](std::span<const int8_t> row) {
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
  std::unique_ptr<ByteSink> rows_;
};

StaticConvolution::StaticConvolution(const ConvLayer& layer, const ActivationQuantization& input)
    : layer_(layer),
      input_(input),
      weight_(layer.out_channels, layer.kernel, size_t{layer.kernel} * layer.in_channels) {}

Result<std::unique_ptr<ByteSink>> StaticConvolution::weight_sink(const TensorArrival& tensor) {
  const TensorInfo& info = tensor.info;
  const int32_t zero_point = info.quantization.zero_point;
  if (zero_point < -kMaxZeroPoint || zero_point > kMaxZeroPoint) {
    return fail(
        {.code = Code::format,
         .reason = Reason::limit,
         .detail = formatted("a zero point of {}; those of weights must be within +-{}", zero_point, kMaxZeroPoint),
         .offset = info.offset,
         .tensor = info.name});
  }
  symmetric_ = zero_point == 0;
  multiplier_ = info.quantization.scale * input_.scale / layer_.output.scale;
  if (tensor.bytes_exist) QUINTET_CHECK(weight_.reserve());
  return std::make_unique<WeightSink>(*this, zero_point);
}

Result<std::unique_ptr<ByteSink>> StaticConvolution::bias_sink(const TensorArrival& tensor) {
  if (tensor.bytes_exist) QUINTET_CHECK(bias_.reserve(layer_.out_channels));
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
          .min = relu ? output.zero_point : 0,
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
  const Operands operands = {kernels, layer_, x, input_.zero_point, weight_, y, epilogue};
  if (symmetric_ && kernels.has_fused_dot()) return convolve(ByteLayer(operands), scratch.blocks);
  if (y.positions() >= kMinForWinograd && fits_winograd()) {
    return winograd(
        WinogradKernels{kernels.winograd_input_i16, kernels.winograd_weights_i16, kernels.winograd_multiply_i16}, x,
        weight_, y, epilogue, scratch.winograd);
  }
  return convolve(WordLayer(operands), scratch.blocks);
}

}  // namespace quintet::vision
