#pragma once
// Tables of ResNets, written out plainly.

#include <cstdint>
#include <vector>

#include "formats/layer_table.h"

namespace quintet::test {

// A vanilla network of 7 classes as torchvision, or as the CIFAR networks, lay it out; `blocks` of each stage, `width`
// of the first.
LayerTable resnet_table(const std::vector<int>& blocks, bool bottleneck, bool cifar, bool concat, uint32_t width = 4);

}  // namespace quintet::test
