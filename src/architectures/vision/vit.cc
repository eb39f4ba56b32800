// Vision transformers (Dosovitskiy et al. 2020, arXiv:2010.11929): ViT, DeiT and DINOv2, as transformers has them
// (modeling_vit.py, modeling_deit.py, modeling_dinov2.py) and as timm does (vision_transformer.py, deit.py).

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "architectures/vision/blocks.h"
#include "architectures/vision/families.h"

namespace quintet::vision {
namespace {

// The names of a layer's matrices and norms, without ".weight"; scales are whole names.
struct ViTNames {
  std::string attention_norm;
  std::vector<std::string> qkv;
  std::string attention_output, mlp_norm, up, down;
  std::string attention_scale = {}, mlp_scale = {};
};

struct ViTStyle {
  uint32_t heads;
  float epsilon;
  Activation activation = Activation::gelu_erf;
};

// Norms come before the attention and before the MLP.
NodeId add_vit_layer(GraphBuilder& b, NodeId x, const ViTNames& names, const ViTStyle& style) {
  const auto scaled = [&](const std::string& scale) {
    ConvOptions options = {.addend = x};
    if (b.has(scale)) options.layer_scale = scale;
    return options;
  };
  NodeId y = b.linear(b.layer_norm(x, names.attention_norm, style.epsilon), names.qkv);
  x = b.linear(b.attention(y, style.heads), {names.attention_output}, scaled(names.attention_scale));
  y = b.layer_norm(x, names.mlp_norm, style.epsilon);
  y = b.linear(y, {names.up}, {.activation = style.activation});
  return b.linear(y, {names.down}, scaled(names.mlp_scale));
}

ViTStyle style_in(GraphBuilder& b, const Json& config, float epsilon) {
  return {.heads = number_in(b, config, "num_attention_heads", 12, 1024),
          .epsilon = epsilon_in(b, config, "layer_norm_eps", epsilon),
          .activation = activation_in(b, config, "hidden_act", Activation::gelu_erf)};
}

// The layers of ViT and DeiT, which differ in their tokens.
NodeId add_vit_layers(GraphBuilder& b, NodeId x, const std::string& root, const ViTStyle& style) {
  for (uint32_t i = 0; !b.failed(); ++i) {
    const std::string layer = formatted("{}encoder.layer.{}.", root, i), attention = layer + "attention.attention.";
    if (!b.has(layer + "layernorm_before.weight")) break;
    x = add_vit_layer(b, x,
                      {.attention_norm = layer + "layernorm_before",
                       .qkv = {attention + "query", attention + "key", attention + "value"},
                       .attention_output = layer + "attention.output.dense",
                       .mlp_norm = layer + "layernorm_after",
                       .up = layer + "intermediate.dense",
                       .down = layer + "output.dense"},
                      style);
  }
  return b.layer_norm(x, root + "layernorm", style.epsilon);
}

// The logits are the mean of two classifiers, one for each of the first two tokens.
NodeId distilled(GraphBuilder& b, NodeId x, const char* classifier, const char* distillation) {
  const NodeId features = b.token(x, 0), other = b.token(x, 1);
  const NodeId half = b.linear(features, {classifier}, {.factor = 0.5F});
  b.linear(other, {distillation}, {.addend = half, .factor = 0.5F});
  return features;
}

}  // namespace

NodeId add_vit(GraphBuilder& b, const FamilySource& source) {
  b.ignore("pooler.dense.weight");
  b.ignore("pooler.dense.bias");
  const std::string embeddings = "vit.embeddings.";
  NodeId x = patches(b, b.image(), embeddings + "patch_embeddings.projection");
  x = b.tokens(x, {embeddings + "cls_token"}, embeddings + "position_embeddings");
  const NodeId features = b.token(add_vit_layers(b, x, "vit.", style_in(b, source.config, 1e-12F)), 0);
  b.linear(features, {"classifier"});
  return features;
}

NodeId add_deit(GraphBuilder& b, const FamilySource& source) {
  const std::string embeddings = "deit.embeddings.";
  NodeId x = patches(b, b.image(), embeddings + "patch_embeddings.projection");
  x = b.tokens(x, {embeddings + "cls_token", embeddings + "distillation_token"}, embeddings + "position_embeddings");
  x = add_vit_layers(b, x, "deit.", style_in(b, source.config, 1e-12F));
  if (b.has("distillation_classifier.weight")) return distilled(b, x, "cls_classifier", "distillation_classifier");
  const NodeId features = b.token(x, 0);
  b.linear(features, {"classifier"});
  return features;
}

// The classifier reads the class token and the mean of the patches.
NodeId add_dinov2(GraphBuilder& b, const FamilySource& source) {
  b.ignore("embeddings.mask_token");
  const bool has_registers = b.has("dinov2_with_registers.embeddings.cls_token");
  const std::string root = has_registers ? "dinov2_with_registers." : "dinov2.", embeddings = root + "embeddings.";
  const ViTStyle style = style_in(b, source.config, 1e-6F);
  if (flag_in(b, source.config, "use_swiglu_ffn", false)) {
    b.fail_with(unsupported_error("config.json: use_swiglu_ffn; supported is false"));
  }
  NodeId x = patches(b, b.image(), embeddings + "patch_embeddings.projection");
  std::vector<std::string> front = {embeddings + "cls_token"};
  if (has_registers) front.push_back(embeddings + "register_tokens");
  x = b.tokens(x, std::move(front), embeddings + "position_embeddings", !has_registers);
  for (uint32_t i = 0; !b.failed(); ++i) {
    const std::string layer = formatted("{}encoder.layer.{}.", root, i), attention = layer + "attention.attention.";
    if (!b.has(layer + "norm1.weight")) break;
    x = add_vit_layer(b, x,
                      {.attention_norm = layer + "norm1",
                       .qkv = {attention + "query", attention + "key", attention + "value"},
                       .attention_output = layer + "attention.output.dense",
                       .mlp_norm = layer + "norm2",
                       .up = layer + "mlp.fc1",
                       .down = layer + "mlp.fc2",
                       .attention_scale = layer + "layer_scale1.lambda1",
                       .mlp_scale = layer + "layer_scale2.lambda1"},
                      style);
  }
  x = b.layer_norm(x, root + "layernorm", style.epsilon);
  const uint32_t registers = has_registers ? number_in(b, source.config, "num_register_tokens", 4, 64) : 0;
  const NodeId features = b.concat(b.token(x, 0), b.patch_mean(x, 1 + registers));
  b.linear(features, {"classifier"});
  return features;
}

// The number of heads is in the name, unless model_args has it: 64 features a head in all these sizes.
NodeId add_timm_vit(GraphBuilder& b, const FamilySource& source) {
  const bool is_distilled = b.has("dist_token"), has_class = b.has("cls_token");
  NodeId x = patches(b, b.image(), "patch_embed.proj");
  std::vector<std::string> front;
  if (has_class) front.emplace_back("cls_token");
  if (is_distilled) front.emplace_back("dist_token");
  if (b.has("reg_token")) front.emplace_back("reg_token");
  constexpr uint32_t kHeadWidth = 64;
  const ViTStyle style = {.heads = number_in(b, source.config, "num_heads", std::max(b.channels(x) / kHeadWidth, 1U)),
                          .epsilon = 1e-6F};
  x = b.tokens(x, std::move(front), "pos_embed");
  for (uint32_t i = 0; !b.failed(); ++i) {
    const std::string block = formatted("blocks.{}.", i);
    if (!b.has(block + "norm1.weight")) break;
    x = add_vit_layer(b, x,
                      {.attention_norm = block + "norm1",
                       .qkv = {block + "attn.qkv"},
                       .attention_output = block + "attn.proj",
                       .mlp_norm = block + "norm2",
                       .up = block + "mlp.fc1",
                       .down = block + "mlp.fc2",
                       .attention_scale = block + "ls1.gamma",
                       .mlp_scale = block + "ls2.gamma"},
                      style);
  }
  if (b.has("norm.weight")) x = b.layer_norm(x, "norm", style.epsilon);
  if (is_distilled) return distilled(b, x, "head", "head_dist");
  // The mean of the patches has a norm of its own behind it.
  const bool averages = b.has("fc_norm.weight");
  NodeId features = averages ? b.patch_mean(x, has_class ? 1 : 0) : b.token(x, 0);
  if (averages) features = b.layer_norm(features, "fc_norm", style.epsilon);
  b.linear(features, {"head"});
  return features;
}

}  // namespace quintet::vision
