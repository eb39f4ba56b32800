#pragma once
// A convolution in float32; a linear layer is one over a single pixel.

#include <memory>

#include "formats/model_sink.h"
#include "kernels/kernels.h"
#include "models/vision/feature_map.h"
#include "models/vision/work_shares.h"

namespace quintet::vision {

class FloatConvolution {
 public:
  using Scratch = ConvolutionScratch<float>;

  // Without weights yet.
  explicit FloatConvolution(const ConvLayer& layer);

  const ConvLayer& layer() const { return layer_; }
  uint64_t bytes() const { return weight_.bytes() + bias_.capacity() * sizeof(float); }

  // For the tensors of the layer, [out][in][kernel][kernel] and [out]. The layer must not move while sinks are in use.
  Result<std::unique_ptr<ByteSink>> weight_sink(const TensorArrival& tensor);
  Result<std::unique_ptr<ByteSink>> bias_sink(const TensorArrival& tensor);

  // y = epilogue(convolution of x), with the layer's bias; the residual may be y. The first window begins at `origin`,
  // and the border of x must contain all windows.
  Status apply(const Kernels& kernels, const FeatureMap<float>& x, const Origin& origin, FeatureMap<float>& y,
               FloatEpilogue epilogue, Scratch& scratch) const;

 private:
  ConvLayer layer_;
  PackedMatrix weight_;  // [out][kernel][kernel][in]
  AlignedBuffer<float> bias_;
};

}  // namespace quintet::vision
