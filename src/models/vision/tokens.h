#pragma once
// Pixels as the tokens of a vision transformer, and the pixels that are made of several.

#include <span>
#include <vector>

#include "architectures/vision/graph.h"
#include "base/result.h"
#include "models/vision/feature_map.h"

namespace quintet::vision {

// A map of one pixel.
Result<FeatureMap<float>> single_pixel(std::span<const float> values);

// The rows of `table` for the ids that are the pixels of x, plus the rows of `positions`. INPUT for an id without a
// row, and for more ids than there are positions.
Result<FeatureMap<float>> embedded(const FeatureMap<float>& x, std::span<const float> table,
                                   std::span<const float> positions, size_t width);

// The tokens of `front` [node.first][channels] and the pixels after them, in one row, plus their positions: those of
// all tokens, of the class token and the patches, of the patches alone, or none. INPUT if they do not fit the image and
// the node does not resize them.
Result<FeatureMap<float>> tokens_of(const FeatureMap<float>& x, const Node& node, std::span<const float> front,
                                    std::span<const float> positions);

// The token with this index, or with kLastToken the last one. INPUT if there is none; likewise below.
Result<FeatureMap<float>> token_at(const FeatureMap<float>& x, size_t index);
// The mean of all tokens from `first` on.
Result<FeatureMap<float>> mean_from(const FeatureMap<float>& x, size_t first);
// The channels of two maps of one pixel.
Result<FeatureMap<float>> joined(const FeatureMap<float>& x, const FeatureMap<float>& other);
// 2x2 pixels as one, column after column; zeros for those outside.
Result<FeatureMap<float>> merged_pixels(const FeatureMap<float>& x, size_t border);

}  // namespace quintet::vision
