#pragma once
// A ResNet in float32: the definition that quantized ones are calibrated against.

#include <memory>
#include <span>
#include <vector>

#include "formats/layer_table.h"
#include "formats/resnet_graph.h"
#include "models/resnet/activation_observer.h"
#include "models/resnet/convolution.h"

namespace quintet::resnet {

// Views of a network's parameters, layer after layer as in its LayerTable. Batch norms behind convolutions are folded
// into these.
struct FloatWeights {
  struct Layer {
    std::span<const float> weight;  // convolution [out][in][kernel][kernel], linear [out][in]
    std::span<const float> bias;    // [out], or empty
  };
  struct BatchNorm {
    std::span<const float> gamma, beta, mean, variance;
  };
  std::vector<Layer> convs;
  std::vector<Layer> linears;
  std::vector<BatchNorm> batch_norms;
};

class FloatNetwork {
 public:
  // The weights are copied. A table that is no supported ResNet, and weights that do not fit it, are errors of the
  // caller.
  static Result<FloatNetwork> make(const LayerTable& table, const FloatWeights& weights);

  const ResNetGraph& graph() const { return graph_; }
  uint32_t input_channels() const { return input_channels_; }

  // One value a class, for an image [channels][height][width] of any size. The observer may be null.
  Result<std::vector<float>> logits(std::span<const float> image, size_t height, size_t width,
                                    ActivationObserver* observer = nullptr) const;

 private:
  class Pass;

  struct BatchNorm {  // y = x * factor + offset
    std::vector<float> factor, offset;
  };
  static Result<BatchNorm> make_batch_norm(uint32_t channels, const FloatWeights::BatchNorm& weights);

  ResNetGraph graph_;
  uint32_t input_channels_ = 0;
  std::vector<Convolution> convs_;
  std::vector<Linear> linears_;
  std::vector<BatchNorm> batch_norms_;
};

}  // namespace quintet::resnet
