#pragma once
// A convolution in float32; a linear layer is one over a single pixel.

#include <memory>

#include "formats/model_sink.h"
#include "kernels/kernels.h"
#include "models/resnet/feature_map.h"
#include "models/resnet/work_shares.h"

namespace quintet::resnet {

class FloatConvolution {
 public:
  using Scratch = ConvolutionScratch<float>;

  // Without weights yet.
  explicit FloatConvolution(const ConvLayer& layer);

  const ConvLayer& layer() const { return layer_; }
  uint64_t bytes() const { return weight_.bytes() + bias_.capacity() * sizeof(float); }

  // For the tensors of the layer, [out][in][kernel][kernel] and [out]. Sinks need the layer to stay where it is.
  Result<std::unique_ptr<TensorSink>> weight_sink(const TensorInfo& info, bool certain);
  Result<std::unique_ptr<TensorSink>> bias_sink(const TensorInfo& info, bool certain);

  // y = epilogue(convolution of x); the epilogue's bias is the layer's, its residual may be y. The border of x is not
  // less than the layer's padding.
  Status apply(const Kernels& kernels, const FeatureMap<float>& x, FeatureMap<float>& y, FloatEpilogue epilogue,
               Scratch& scratch) const;

 private:
  ConvLayer layer_;
  PackedMatrix weight_;  // [out][kernel][kernel][in]
  AlignedBuffer<float> bias_;
};

}  // namespace quintet::resnet
