#pragma once
// ResNets whose activations are float32.

#include <memory>
#include <span>
#include <vector>

#include "models/vision/dynamic_convolution.h"
#include "models/vision/float_convolution.h"
#include "models/vision/network.h"

namespace quintet::vision {

// Views of a network's parameters, layer by layer as in its LayerTable. Batch norms after convolutions are folded into
// these.
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

// Weights in float32 too: the definition for calibrating quantized networks.
class FloatNetwork final : public LayeredNetwork<FloatConvolution> {
 public:
  FloatNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table);

  // The weights are copied. INPUT for a table that is not a supported ResNet, and for weights that do not match it.
  static Result<FloatNetwork> make(const Kernels& kernels, const LayerTable& table, const FloatWeights& weights);

  // Computes the logits of an image and shows all activations to the observer.
  Result<std::vector<float>> observe(std::span<const float> image, size_t height, size_t width,
                                     ActivationObserver& observer) const;

 protected:
  Result<std::unique_ptr<Pass>> begin(std::span<const float> image, size_t height, size_t width,
                                      StageObserver* observer) const override;
};

// Dynamically quantized: layers quantize their input.
class DynamicNetwork final : public LayeredNetwork<DynamicConvolution> {
 public:
  DynamicNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table);

 protected:
  Result<std::unique_ptr<Pass>> begin(std::span<const float> image, size_t height, size_t width,
                                      StageObserver* observer) const override;
};

}  // namespace quintet::vision
