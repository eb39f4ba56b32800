#include "models/resnet/dynamic_network.h"

#include "models/resnet/float_layers.h"
#include "models/resnet/graph_pass.h"

namespace quintet::resnet {

DynamicNetwork::Parts DynamicNetwork::parts(const LayerTable& table) {
  return parts_of<DynamicConvolution>(table, [](const ConvLayer& layer, size_t) { return DynamicConvolution(layer); });
}

Result<std::unique_ptr<Pass>> DynamicNetwork::begin(std::span<const float> image, size_t height, size_t width,
                                                    StageObserver* observer) const {
  using Layers = FloatLayers<DynamicConvolution>;
  Layers layers(kernels_, graph(), parts_, {.stages = observer});
  QUINTET_TRY(FeatureMap<float> input, layers.input(image, height, width));
  return std::make_unique<GraphPass<Layers>>(graph(), std::move(layers), std::move(input));
}

}  // namespace quintet::resnet
