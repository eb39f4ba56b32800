#pragma once
// What an image network takes, told from its description alone.

#include <cstdint>

#include "formats/model_description.h"

namespace quintet {

// Of the weights in the form in which they are kept. Requires a description with layers.
uint64_t network_weight_bytes(const ModelDescription& description);

// Room for a picture of the usual size on its way: the input, and three times the largest activation.
uint64_t network_work_bytes(const LayerTable& layers);

}  // namespace quintet
