#pragma once
// A statically quantized convolution (docs/formats/tinyruntime.md, "Arithmetic"); a linear layer is one over a single
// pixel.

#include <memory>

#include "formats/model_sink.h"
#include "kernels/kernels.h"
#include "models/vision/blocked_layer.h"
#include "models/vision/feature_map.h"
#include "models/vision/work_shares.h"

namespace quintet::vision {

class StaticConvolution {
 public:
  struct Scratch {
    ConvolutionScratch<int16_t> winograd;
    BlockedScratch blocks;
  };

  // Without weights yet; `input` quantizes the layer's input.
  StaticConvolution(const ConvLayer& layer, const ActivationQuantization& input);

  const ConvLayer& layer() const { return layer_; }
  uint64_t bytes() const { return weight_.bytes() + bias_.capacity() * sizeof(int32_t); }

  // For the tensors of the layer, [out][in][kernel][kernel] in int8 and [out] in int32. The layer must not move while
  // sinks are in use.
  Result<std::unique_ptr<ByteSink>> weight_sink(const TensorArrival& tensor);
  Result<std::unique_ptr<ByteSink>> bias_sink(const TensorArrival& tensor);

  // For the layer alone, with or without a ReLU.
  StaticEpilogue epilogue(bool relu) const;

  // y = epilogue(convolution of x), with one of the layer's epilogues; the residual may be y. The border of x must be
  // at least the layer's padding.
  Status apply(const Kernels& kernels, const FeatureMap<int16_t>& x, FeatureMap<int16_t>& y,
               const StaticEpilogue& epilogue, Scratch& scratch) const;

 private:
  class WeightSink;

  Status append_row(std::span<const int8_t> row, int32_t zero_point);
  bool fits_winograd() const;

  ConvLayer layer_;
  ActivationQuantization input_;
  PairedMatrix weight_;  // [out][kernel][kernel * in]
  AlignedBuffer<int32_t> bias_;
  float multiplier_ = 0;
  bool symmetric_ = false;  // the zero point of the weights is 0
  // For the weights minus their zero point: the largest value, and the largest sum of an output.
  uint32_t largest_weight_ = 0;
  uint64_t largest_sum_ = 0;
};

}  // namespace quintet::vision
