#pragma once
// The weights of one node, in the form in which they are computed with.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "architectures/vision/graph.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "formats/model_sink.h"
#include "formats/tinyruntime/tensors.h"
#include "kernels/kernels.h"
#include "models/vision/dynamic_convolution.h"
#include "models/vision/feature_map.h"
#include "models/vision/float_convolution.h"
#include "models/vision/plan.h"

namespace quintet::vision {

struct LayerScratch {
  FloatConvolution::Scratch convolution;
  DynamicConvolution::Scratch dynamic;
  FeatureMap<float> group_input, group_output;
};

class NodeLayer {
 public:
  NodeLayer() = default;
  // A convolution or linear layer of a file, dynamically quantized or not, without weights yet.
  NodeLayer(const ConvLayer& layer, bool is_dynamic);

  // weight [out][in / groups][kernel][kernel] and bias [out] of a convolution, or what the node's operation needs.
  // `input_channels`: of the map that it reads.
  static Result<NodeLayer> make(const Node& node, uint32_t input_channels, std::span<const float> weight,
                                std::span<const float> bias);

  // For the tensors of a file: those of a convolution, [out][in][kernel][kernel] and [out], or the arrays of a batch
  // norm, one after another. The layer must not move while sinks are in use.
  Result<std::unique_ptr<ByteSink>> sink(tinyruntime::TensorPart part, const TensorArrival& tensor);

  uint64_t bytes() const;
  std::span<const float> weight() const { return weight_.span(); }
  std::span<const float> bias() const { return bias_.span(); }

  // y = clamp(convolution of x + residual), with the bounds of ReLU or ReLU6 where the node has one of these;
  // `residual`: null, or in a map with the layout of y; may be y.
  Status convolve(const Kernels& kernels, const Node& node, const FeatureMap<float>& x, const float* residual,
                  FeatureMap<float>& y, LayerScratch& scratch) const;

 private:
  Status set_depthwise(const Node& node, std::span<const float> weight);
  Status set_dense(const Node& node, uint32_t inputs, std::span<const float> weight, std::span<const float> bias);
  void convolve_depthwise(const Kernels& kernels, const Node& node, const FeatureMap<float>& x,
                          const FloatEpilogue& epilogue, FeatureMap<float>& y) const;
  Status convolve_groups(const Kernels& kernels, const FeatureMap<float>& x, const FloatEpilogue& epilogue,
                         FeatureMap<float>& y, const Origin& origin, LayerScratch& scratch) const;

  std::vector<FloatConvolution> groups_;  // of a dense convolution, one; of a depthwise one, none
  std::optional<DynamicConvolution> dynamic_;
  AlignedBuffer<float> weight_;  // depthwise [kernel][kernel][channels]; of others, as given
  AlignedBuffer<float> bias_;
};

// Whether the epilogue of a convolution computes it: a bound below and above.
bool is_clamp(Activation activation);

}  // namespace quintet::vision
