#pragma once
// A dynamically quantized ResNet: layers quantize what they read, activations are float32.

#include <memory>
#include <utility>

#include "models/resnet/dynamic_convolution.h"
#include "models/resnet/network.h"
#include "models/resnet/network_parts.h"

namespace quintet::resnet {

class DynamicNetwork final : public Network {
 public:
  using Parts = NetworkParts<DynamicConvolution>;

  // Without weights yet.
  static Parts parts(const LayerTable& table);

  DynamicNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table, Parts parts)
      : Network(std::move(graph), table), kernels_(kernels), parts_(std::move(parts)) {}

  uint64_t bytes() const override { return parts_.bytes(); }

 protected:
  Result<std::unique_ptr<Pass>> begin(std::span<const float> image, size_t height, size_t width,
                                      StageObserver* observer) const override;

 private:
  const Kernels& kernels_;
  Parts parts_;
};

}  // namespace quintet::resnet
