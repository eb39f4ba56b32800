#include "formats/resnet_activations.h"

namespace quintet {

std::vector<ActivationQuantization> layer_inputs(const LayerTable& table, const ResNetGraph& graph) {
  std::vector<ActivationQuantization> inputs(table.convs.size());
  inputs[0] = table.activations[0];
  ActivationQuantization block_input = table.convs[0].output;  // pooling keeps it
  for (const ResNetBlock& block : graph.blocks) {
    inputs[block.first_conv] = block_input;
    for (uint32_t i = block.first_conv + 1; i <= block.last_conv(); ++i) inputs[i] = table.convs[i - 1].output;
    if (block.downsample) inputs[block.downsample_conv()] = block_input;
    block_input = table.activations[block.sum_activation];
  }
  for (uint32_t i = 0; i < table.linears.size(); ++i) inputs.push_back(table.activations[graph.linear_activation(i)]);
  return inputs;
}

}  // namespace quintet
