#include "architectures/vision/vit_layers.h"

#include <utility>
#include <vector>

namespace quintet::vision {
namespace {

// `layer`: the layer's name, with a dot. `token`: the only one whose result is needed.
NodeId add_vit_layer(GraphBuilder& b, NodeId x, const std::string& layer, const ViTNames& names, const ViTStyle& style,
                     std::optional<uint32_t> token) {
  const auto full = [&](std::string_view part) { return formatted("{}{}", layer, part); };
  const auto onto = [&](NodeId addend, std::string_view scale) {
    ConvOptions options = {.addend = addend};
    if (!scale.empty() && b.has(full(scale))) options.layer_scale = full(scale);
    return options;
  };
  std::vector<std::string> qkv;
  for (const std::string_view part : names.qkv) {
    if (!part.empty()) qkv.push_back(full(part));
  }
  NodeId y = b.linear(b.layer_norm(x, full(names.attention_norm), style.epsilon), std::move(qkv));
  if (style.grid != kNoNode) y = b.rotate(y, style.grid, style.heads, style.front, style.theta);
  y = b.attention(y, style.heads, style.mask);
  if (token) {
    x = b.token(x, *token);
    y = b.token(y, *token);
  }
  x = b.linear(y, {full(names.attention_output)}, onto(x, names.attention_scale));
  y = b.layer_norm(x, full(names.mlp_norm), style.epsilon);
  if (style.gates) {
    std::vector<std::string> up = {full(names.up)};
    if (!names.gate.empty()) up.insert(up.begin(), full(names.gate));
    y = b.gate(b.linear(y, std::move(up)), style.activation);
  } else {
    y = b.linear(y, {full(names.up)}, {.activation = style.activation});
  }
  return b.linear(y, {full(names.down)}, onto(x, names.mlp_scale));
}

}  // namespace

NodeId add_vit_layers(GraphBuilder& b, NodeId x, const std::string& prefix, const ViTNames& names,
                      const ViTStyle& style) {
  const auto layer = [&](uint32_t i) { return formatted("{}{}.", prefix, i); };
  const auto exists = [&](uint32_t i) { return b.has(formatted("{}{}.weight", layer(i), names.attention_norm)); };
  if (!exists(0) && style.token) return b.token(x, *style.token);
  for (uint32_t i = 0; exists(i) && !b.failed(); ++i) {
    x = add_vit_layer(b, x, layer(i), names, style, exists(i + 1) ? std::nullopt : style.token);
  }
  return x;
}

ViTStyle style_in(GraphBuilder& b, const Json& config, ViTStyle absent) {
  absent.heads = number_in(b, config, "num_attention_heads", absent.heads, 1024);
  absent.epsilon = epsilon_in(b, config, "layer_norm_eps", absent.epsilon);
  absent.activation = activation_in(b, config, "hidden_act", absent.activation);
  return absent;
}

}  // namespace quintet::vision
