#pragma once
// The weights of one node, in the form in which they are computed with.

#include <memory>
#include <span>
#include <utility>

#include "base/aligned_buffer.h"
#include "models/vision/node_convolution.h"

namespace quintet::vision {

class NodeLayer {
 public:
  NodeLayer() = default;
  // A convolution whose weights come through sinks.
  explicit NodeLayer(std::unique_ptr<NodeConvolution> convolution) : convolution_(std::move(convolution)) {}

  // weight [out][in / groups][kernel][kernel] and bias [out] of a convolution, or what the node's operation needs.
  // `input_channels`: of the map that it reads.
  static Result<NodeLayer> make(const Node& node, uint32_t input_channels, std::span<const float> weight,
                                std::span<const float> bias);

  // For a node that reads rows of a table: moved, because tables are large.
  static NodeLayer of_table(AlignedBuffer<float> table, AlignedBuffer<float> positions);

  // For the tensors of a tinyRuntime file: those of a convolution, or the arrays of a batch norm, one after another.
  // The layer must not move while sinks are in use.
  Result<std::unique_ptr<ByteSink>> sink(tinyruntime::TensorPart part, const TensorArrival& tensor);

  // Whether it is a convolution.
  bool convolves() const { return convolution_ != nullptr; }
  uint64_t bytes() const;
  std::span<const float> weight() const { return weight_.span(); }
  std::span<const float> bias() const { return bias_.span(); }

  // y = clamp(convolution of x + residual), with the bounds of ReLU or ReLU6 where the node has one of these;
  // `residual`: null, or in a map with the layout of y; may be y.
  Status convolve(const Kernels& kernels, const Node& node, const FeatureMap<float>& x, const float* residual,
                  FeatureMap<float>& y, LayerScratch& scratch) const;

 private:
  std::unique_ptr<NodeConvolution> convolution_;
  AlignedBuffer<float> weight_;  // parameters of another operation, as given
  AlignedBuffer<float> bias_;    // as given; that of a convolution for who reads its node
};

// Whether the epilogue of a convolution computes it: a bound below and above.
bool is_clamp(Activation activation);

}  // namespace quintet::vision
