#pragma once
// Checks that a table of layers is the network that its number of convolutions implies: shapes of the convolutions,
// matching numbers of channels, the layers of the tail, and enough activations (docs/formats/tinyruntime.md,
// "What is rejected").

#include <expected>

#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/tinyruntime/network.h"

namespace quintet::tinyruntime {

std::expected<Network, LayerFault> network_of_counts(uint32_t convs, uint32_t linears, uint32_t batch_norms);
std::expected<Network, LayerFault> recognise_network(const LayerTable& table);
// For a table that is not from a file: errors are INPUT.
Result<Network> checked_network(const LayerTable& table);

}  // namespace quintet::tinyruntime
