#pragma once
// What quantizes the input of every layer of a statically quantized ResNet: the walk through its activation table
// (RULINGS "tinyRuntime" 5).

#include <vector>

#include "formats/layer_table.h"
#include "formats/resnet_graph.h"

namespace quintet {

// Of every convolution, then of every linear layer. Requires an sq8 table that was recognised as `graph`.
std::vector<ActivationQuantization> layer_inputs(const LayerTable& table, const ResNetGraph& graph);

}  // namespace quintet
