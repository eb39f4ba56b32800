#pragma once
// A convolution or linear layer of a dynamically quantized network (docs/formats/tinyruntime.md, "Arithmetic").

#include <memory>

#include "base/aligned_buffer.h"
#include "formats/model_sink.h"
#include "kernels/kernels.h"
#include "models/vision/blocked_layer.h"
#include "models/vision/feature_map.h"

namespace quintet::vision {

class DynamicConvolution {
 public:
  using Scratch = BlockedScratch;

  // Without weights yet.
  explicit DynamicConvolution(const ConvLayer& layer) : layer_(layer) {}

  const ConvLayer& layer() const { return layer_; }
  uint64_t bytes() const { return uint64_t{weight_.bytes()} + bias_.capacity() * sizeof(float); }

  // For the tensors of the layer, [out][in][kernel][kernel] and [out]. The layer must not move while sinks are in use.
  Result<std::unique_ptr<ByteSink>> weight_sink(const TensorArrival& tensor);
  Result<std::unique_ptr<ByteSink>> bias_sink(const TensorArrival& tensor);

  // y = epilogue(convolution of x), with the layer's bias; the residual may be y. The border of x must be at least the
  // layer's padding.
  Status apply(const Kernels& kernels, const FeatureMap<float>& x, FeatureMap<float>& y, FloatEpilogue epilogue,
               Scratch& scratch) const;

 private:
  ConvLayer layer_;
  bool asymmetric_ = false;
  PairedMatrix weight_;  // [out][groups][group], in the order of im2col
  AlignedBuffer<float> bias_;
};

}  // namespace quintet::vision
