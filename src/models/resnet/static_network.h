#pragma once
// A statically quantized ResNet: integers equal to those of the format's original runtime.

#include <memory>
#include <utility>
#include <vector>

#include "models/resnet/network.h"
#include "models/resnet/network_parts.h"
#include "models/resnet/static_convolution.h"

namespace quintet::resnet {

class StaticNetwork final : public Network {
 public:
  using Parts = NetworkParts<StaticConvolution>;

  // Without weights yet.
  static Parts parts(const LayerTable& table, const ResNetGraph& graph);

  StaticNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table, Parts parts)
      : Network(std::move(graph), table), kernels_(kernels), parts_(std::move(parts)), entries_(table.activations) {}

  uint64_t bytes() const override { return parts_.bytes(); }

 protected:
  Result<std::unique_ptr<Pass>> begin(std::span<const float> image, size_t height, size_t width,
                                      StageObserver* observer) const override;

 private:
  const Kernels& kernels_;
  Parts parts_;
  std::vector<ActivationQuantization> entries_;
};

}  // namespace quintet::resnet
