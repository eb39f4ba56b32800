#pragma once
// The layers of a vision transformer, and of the text transformer that accompanies it: norms come before the attention
// and before the MLP (Dosovitskiy et al. 2020, arXiv:2010.11929, section 3.1).

#include <optional>
#include <string>
#include <string_view>

#include "architectures/vision/families.h"
#include "architectures/vision/graph_builder.h"

namespace quintet::vision {

// Names of a layer's parts in files, after the layer's own name and without ".weight"; scales have their whole names.
struct ViTNames {
  std::string_view attention_norm;
  std::string_view qkv[3];  // query, key and value, or one matrix of all
  std::string_view attention_output, mlp_norm;
  std::string_view up, down;   // of the MLP
  std::string_view gate = "";  // a separate matrix in front of `up`, in MLPs that gate
  std::string_view attention_scale = "", mlp_scale = "";
};

struct ViTStyle {
  uint32_t heads;
  float epsilon;
  Activation activation = Activation::gelu_erf;
  bool gates = false;  // the MLP has twice the channels: half of them, with the activation, times the others
  AttentionMask mask = AttentionMask::none;
  // Queries and keys are rotated by their places in this map of patches, after `front` other tokens.
  NodeId grid = kNoNode;
  uint32_t front = 0;
  float theta = 0;
  // The only token whose vector is needed in the end, as for GraphBuilder::token(): the result is that token.
  std::optional<uint32_t> token = {};
};
// As configured, or with these values if the configuration has none.
ViTStyle style_in(GraphBuilder& b, const Json& config, ViTStyle absent);

// All layers, whose names are `prefix`, a number and a dot.
NodeId add_vit_layers(GraphBuilder& b, NodeId x, const std::string& prefix, const ViTNames& names,
                      const ViTStyle& style);

}  // namespace quintet::vision
