#include "models/resnet/static_network.h"

#include "formats/resnet_activations.h"
#include "models/resnet/graph_pass.h"
#include "models/resnet/static_layers.h"

namespace quintet::resnet {

StaticNetwork::Parts StaticNetwork::parts(const LayerTable& table, const ResNetGraph& graph) {
  const std::vector<ActivationQuantization> inputs = layer_inputs(table, graph);
  return parts_of<StaticConvolution>(
      table, [&](const ConvLayer& layer, size_t index) { return StaticConvolution(layer, inputs[index]); });
}

Result<std::unique_ptr<Pass>> StaticNetwork::begin(std::span<const float> image, size_t height, size_t width,
                                                   StageObserver* observer) const {
  StaticLayers layers(kernels_, graph(), parts_, entries_, observer);
  QUINTET_TRY(FeatureMap<int16_t> input, layers.input(image, height, width));
  return std::make_unique<GraphPass<StaticLayers>>(graph(), std::move(layers), std::move(input));
}

}  // namespace quintet::resnet
