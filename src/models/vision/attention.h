#pragma once
// Attention over the pixels of a map, which are the tokens of a vision transformer (Dosovitskiy et al. 2020,
// arXiv:2010.11929), or in windows of a map (Liu et al. 2021, arXiv:2103.14030).

#include <cstdint>
#include <span>

#include "architectures/vision/graph.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/vision/feature_map.h"

namespace quintet::vision {

// Memory of all threads, used again from layer to layer.
struct AttentionScratch {
  AlignedBuffer<float> panels;  // K^T and V of a head
  AlignedBuffer<float> scores;
  AlignedBuffer<float> window;  // Q, K, V and the result of a window
};

// qkv: one row of tokens, [3][heads][head_dim] each. Returns [heads][head_dim] per query:
// softmax(Q K^T / sqrt(head_dim)) V, with the node's heads and mask.
Result<FeatureMap<float>> attend(const Kernels& kernels, const FeatureMap<float>& qkv, const Node& node,
                                 AttentionScratch& scratch);

// Tokens see those of their window only. `table`: the biases of each distance in a window, [(2 side - 1)^2][heads].
// `padding`: [3][heads][head_dim] of the pixels with which a map is filled up to whole windows.
Result<FeatureMap<float>> attend_in_windows(const Kernels& kernels, const FeatureMap<float>& qkv, const Node& node,
                                            std::span<const float> table, std::span<const float> padding,
                                            AttentionScratch& scratch);

}  // namespace quintet::vision
