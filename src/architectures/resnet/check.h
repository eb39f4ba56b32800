#pragma once
// Whether a table of layers is the ResNet that its number of convolutions says: shapes of the convolutions, channels
// that chain, layers of the tail that fit, activations that suffice (docs/formats/tinyruntime.md, "Refused").

#include <expected>

#include "architectures/resnet/graph.h"
#include "base/result.h"
#include "formats/layer_table.h"

namespace quintet {

std::expected<ResNetGraph, LayerFault> resnet_of_counts(uint32_t convs, uint32_t linears, uint32_t batch_norms);
std::expected<ResNetGraph, LayerFault> recognise_resnet(const LayerTable& table);
// The same for a table that came from no file: the fault is an INPUT error.
Result<ResNetGraph> checked_resnet(const LayerTable& table);

}  // namespace quintet
