#pragma once
// Tables of ResNets, written out plainly.

#include <vector>

#include "formats/layer_table.h"

namespace quintet::test {

// A vanilla network of width 4 and 7 classes as torchvision, or as the CIFAR networks, lay it out; `blocks` of each
// stage.
LayerTable resnet_table(const std::vector<int>& blocks, bool bottleneck, bool cifar, bool concat);

}  // namespace quintet::test
