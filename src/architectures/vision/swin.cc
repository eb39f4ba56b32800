// Swin transformers (Liu et al. 2021, arXiv:2103.14030), as transformers has them (modeling_swin.py) and as timm does
// (swin_transformer.py).

#include <string>
#include <vector>

#include "architectures/vision/blocks.h"
#include "architectures/vision/families.h"

namespace quintet::vision {
namespace {

struct SwinNames {
  std::string attention_norm;
  std::vector<std::string> qkv;
  std::string bias_table, attention_output, mlp_norm, up, down;
};

struct SwinStyle {
  uint32_t heads, side, shift;
  float epsilon;
  Activation activation;
};

NodeId add_swin_block(GraphBuilder& b, NodeId x, const SwinNames& names, const SwinStyle& style) {
  NodeId y = b.linear(b.layer_norm(x, names.attention_norm, style.epsilon), names.qkv);
  y = b.window_attention(y, style.heads, style.side, style.shift, names.bias_table);
  x = b.linear(y, {names.attention_output}, {.addend = x});
  y = b.linear(b.layer_norm(x, names.mlp_norm, style.epsilon), {names.up}, {.activation = style.activation});
  return b.linear(y, {names.down}, {.addend = x});
}

// Pictures are filled up with zeros at the right and below.
NodeId normalized_patches(GraphBuilder& b, const std::string& name, const std::string& norm, float epsilon) {
  return b.layer_norm(patches(b, b.image(), name, {.fills = true}), norm, epsilon);
}

// 2x2 patches become one.
NodeId merged(GraphBuilder& b, NodeId x, const std::string& name, float epsilon) {
  return b.linear(b.layer_norm(b.merge(x), name + "norm", epsilon), {name + "reduction"});
}

// In every second block, windows are shifted by half their side.
uint32_t shift_of(uint32_t block, uint32_t side) { return block % 2 == 0 ? 0 : side / 2; }

}  // namespace

NodeId add_swin(GraphBuilder& b, const FamilySource& source) {
  const Json& config = source.config;
  b.ignore("relative_position_index");
  const std::vector<uint32_t> heads = numbers_in(b, config, "num_heads", {3, 6, 12, 24});
  const uint32_t side = number_in(b, config, "window_size", 7, 64);
  const float epsilon = epsilon_in(b, config, "layer_norm_eps", 1e-5F);
  const Activation activation = activation_in(b, config, "hidden_act", Activation::gelu_erf);
  NodeId x = normalized_patches(b, "swin.embeddings.patch_embeddings.projection", "swin.embeddings.norm", epsilon);
  for (uint32_t stage = 0; stage < heads.size(); ++stage) {
    const std::string name = formatted("swin.encoder.layers.{}.", stage);
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string block = formatted("{}blocks.{}.", name, i), attention = block + "attention.self.";
      if (!b.has(block + "layernorm_before.weight")) break;
      x = add_swin_block(b, x,
                         {.attention_norm = block + "layernorm_before",
                          .qkv = {attention + "query", attention + "key", attention + "value"},
                          .bias_table = attention + "relative_position_bias_table",
                          .attention_output = block + "attention.output.dense",
                          .mlp_norm = block + "layernorm_after",
                          .up = block + "intermediate.dense",
                          .down = block + "output.dense"},
                         {heads[stage], side, shift_of(i, side), epsilon, activation});
    }
    if (b.has(name + "downsample.reduction.weight")) x = merged(b, x, name + "downsample.", epsilon);
  }
  return b.classifier(b.mean(b.layer_norm(x, "swin.layernorm", epsilon)), "classifier");
}

// 32 features a head, and windows of 7, unless model_args sets others.
NodeId add_timm_swin(GraphBuilder& b, const FamilySource& source) {
  constexpr float kEpsilon = 1e-5F;
  constexpr uint32_t kHeadWidth = 32;
  b.ignore("relative_position_index");
  b.ignore("attn_mask");
  const std::vector<uint32_t> heads = numbers_in(b, source.config, "num_heads", {});
  const uint32_t side = number_in(b, source.config, "window_size", 7, 64);
  NodeId x = normalized_patches(b, "patch_embed.proj", "patch_embed.norm", kEpsilon);
  for (uint32_t stage = 0; stage < 4; ++stage) {
    const std::string name = formatted("layers.{}.", stage);
    if (b.has(name + "downsample.reduction.weight")) x = merged(b, x, name + "downsample.", kEpsilon);
    const uint32_t in_stage = stage < heads.size() ? heads[stage] : std::max(b.channels(x) / kHeadWidth, 1U);
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string block = formatted("{}blocks.{}.", name, i);
      if (!b.has(block + "norm1.weight")) break;
      x = add_swin_block(b, x,
                         {.attention_norm = block + "norm1",
                          .qkv = {block + "attn.qkv"},
                          .bias_table = block + "attn.relative_position_bias_table",
                          .attention_output = block + "attn.proj",
                          .mlp_norm = block + "norm2",
                          .up = block + "mlp.fc1",
                          .down = block + "mlp.fc2"},
                         {in_stage, side, shift_of(i, side), kEpsilon, Activation::gelu_erf});
    }
  }
  return b.classifier(b.mean(b.layer_norm(x, "norm", kEpsilon)), "head.fc");
}

}  // namespace quintet::vision
