#pragma once
// A statically quantized ResNet: its integers equal those of the format's original runtime
// (docs/formats/tinyruntime.md).

#include <memory>
#include <vector>

#include "models/vision/network.h"
#include "models/vision/static_convolution.h"

namespace quintet::vision {

class StaticNetwork final : public LayeredNetwork<StaticConvolution> {
 public:
  StaticNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table);

 protected:
  Result<std::unique_ptr<Pass>> begin(std::span<const float> image, size_t height, size_t width,
                                      StageObserver* observer) const override;

 private:
  std::vector<ActivationQuantization> entries_;  // LayerTable::activations
};

}  // namespace quintet::vision
