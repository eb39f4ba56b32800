#pragma once
// Checks that a table of layers is the ResNet that its number of convolutions implies: shapes of the convolutions,
// matching numbers of channels, the layers of the tail, and enough activations (docs/formats/tinyruntime.md,
// "Refused").

#include <expected>

#include "architectures/resnet/graph.h"
#include "base/result.h"
#include "formats/layer_table.h"

namespace quintet {

std::expected<ResNetGraph, LayerFault> resnet_of_counts(uint32_t convs, uint32_t linears, uint32_t batch_norms);
std::expected<ResNetGraph, LayerFault> recognise_resnet(const LayerTable& table);
// For a table that is not from a file: errors are INPUT.
Result<ResNetGraph> checked_resnet(const LayerTable& table);

}  // namespace quintet
