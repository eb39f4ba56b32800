#pragma once
// A ResNet in float32: the definition that quantized ones are calibrated against.

#include <memory>
#include <span>
#include <vector>

#include "models/resnet/activation_observer.h"
#include "models/resnet/float_convolution.h"
#include "models/resnet/network.h"
#include "models/resnet/network_parts.h"

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

class FloatNetwork final : public Network {
 public:
  using Parts = NetworkParts<FloatConvolution>;

  // Without weights yet.
  static Parts parts(const LayerTable& table);

  FloatNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table, Parts parts)
      : Network(std::move(graph), table), kernels_(&kernels), parts_(std::move(parts)) {}

  // The weights are copied. A table that is no supported ResNet, and weights that do not fit it, are errors of the
  // caller.
  static Result<FloatNetwork> make(const Kernels& kernels, const LayerTable& table, const FloatWeights& weights);

  uint64_t bytes() const override { return parts_.bytes(); }

  // Computes the logits of an image and shows all activations on the way.
  Result<std::vector<float>> observe(std::span<const float> image, size_t height, size_t width,
                                     ActivationObserver& observer) const;

 protected:
  Result<std::unique_ptr<Pass>> begin(std::span<const float> image, size_t height, size_t width,
                                      StageObserver* observer) const override;

 private:
  const Kernels* kernels_;
  Parts parts_;
};

}  // namespace quintet::resnet
