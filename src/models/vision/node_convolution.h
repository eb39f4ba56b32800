#pragma once
// Convolutions of float maps. A program has the code of those that it makes, and of no others.

#include <cstdint>
#include <memory>
#include <span>

#include "architectures/vision/graph.h"
#include "base/result.h"
#include "formats/model_sink.h"
#include "formats/tinyruntime/tensors.h"
#include "kernels/kernels.h"
#include "models/packed_projection.h"
#include "models/vision/blocked_layer.h"
#include "models/vision/feature_map.h"
#include "models/vision/work_shares.h"

namespace quintet::vision {

struct LayerScratch {
  ConvolutionScratch<float> floats;
  BlockedScratch blocks;
  ProjectionScratch tokens;
  FeatureMap<float> group_input, group_output;
};

class NodeConvolution {
 public:
  virtual ~NodeConvolution() = default;

  virtual uint64_t bytes() const = 0;

  // For the tensors of a tinyRuntime file, [out][in][kernel][kernel] and [out]; null if weights come otherwise. The
  // convolution must not move while sinks are in use.
  virtual Result<std::unique_ptr<ByteSink>> sink(tinyruntime::TensorPart, const TensorArrival&) { return nullptr; }

  // y = epilogue(convolution of x), with its own bias; the residual may be y. The border of x must contain all windows
  // of the node.
  virtual Status apply(const Kernels& kernels, const Node& node, const FeatureMap<float>& x, FeatureMap<float>& y,
                       const FloatEpilogue& epilogue, LayerScratch& scratch) const = 0;
};

// Convolutions of a tinyRuntime file, without weights yet.
std::unique_ptr<NodeConvolution> float_convolution(const ConvLayer& layer);
std::unique_ptr<NodeConvolution> dynamic_convolution(const ConvLayer& layer);

// The convolution of a node, in one group, in several, or depthwise, with its weights [out][in /
// groups][kernel][kernel] and its bias [out].
Result<std::unique_ptr<NodeConvolution>> make_convolution(const Node& node, uint32_t input_channels,
                                                          std::span<const float> weight, std::span<const float> bias);

}  // namespace quintet::vision
