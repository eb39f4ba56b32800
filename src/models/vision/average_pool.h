#pragma once

#include "architectures/vision/graph.h"
#include "models/vision/feature_map.h"

namespace quintet::vision {

// y = the means of the windows of x, over the pixels that exist: padding is not counted. y has the window's size.
void average_pool(const FeatureMap<float>& x, const Window& window, FeatureMap<float>& y);

}  // namespace quintet::vision
