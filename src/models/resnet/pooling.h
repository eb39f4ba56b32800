#pragma once
// The operations of a ResNet that have no weights.

#include <vector>

#include "models/resnet/feature_map.h"

namespace quintet::resnet {

void relu(std::span<float> values);

// Windows of 3x3, two apart, padded by one: the pooling behind ImageNet's stem.
Result<FeatureMap> max_pool(const FeatureMap& x);

// The shortcut without parameters of CIFAR's ResNets: every second row and column; new channels are zero, half of them
// before the old ones and half after.
Result<FeatureMap> subsampled(const FeatureMap& x, size_t channels);

// One value a channel.
std::vector<float> global_max(const FeatureMap& x);
std::vector<float> global_average(const FeatureMap& x);

}  // namespace quintet::resnet
