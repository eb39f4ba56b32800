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

// How files call the parts of a layer, behind its own name and without ".weight"; scales have their whole names.
struct ViTNames {
  std::string_view attention_norm;
  std::string_view qkv[3];  // query, key and value, or one matrix of all
  std::string_view attention_output, mlp_norm, up, down;
  std::string_view attention_scale = "", mlp_scale = "";
};
constexpr ViTNames kViTNames = {
    .attention_norm = "layernorm_before",
    .qkv = {"attention.attention.query", "attention.attention.key", "attention.attention.value"},
    .attention_output = "attention.output.dense",
    .mlp_norm = "layernorm_after",
    .up = "intermediate.dense",
    .down = "output.dense"};
constexpr ViTNames kDinoNames = {
    .attention_norm = "norm1",
    .qkv = {"attention.attention.query", "attention.attention.key", "attention.attention.value"},
    .attention_output = "attention.output.dense",
    .mlp_norm = "norm2",
    .up = "mlp.fc1",
    .down = "mlp.fc2",
    .attention_scale = "layer_scale1.lambda1",
    .mlp_scale = "layer_scale2.lambda1"};
constexpr ViTNames kTimmNames = {.attention_norm = "norm1",
                                 .qkv = {"attn.qkv"},
                                 .attention_output = "attn.proj",
                                 .mlp_norm = "norm2",
                                 .up = "mlp.fc1",
                                 .down = "mlp.fc2",
                                 .attention_scale = "ls1.gamma",
                                 .mlp_scale = "ls2.gamma"};

struct ViTStyle {
  uint32_t heads;
  float epsilon;
  Activation activation = Activation::gelu_erf;
};

// Norms come before the attention and before the MLP. `layer`: the layer's name, with a dot.
NodeId add_vit_layer(GraphBuilder& b, NodeId x, const std::string& layer, const ViTNames& names,
                     const ViTStyle& style) {
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
  x = b.linear(b.attention(y, style.heads), {full(names.attention_output)}, onto(x, names.attention_scale));
  y = b.layer_norm(x, full(names.mlp_norm), style.epsilon);
  y = b.linear(y, {full(names.up)}, {.activation = style.activation});
  return b.linear(y, {full(names.down)}, onto(x, names.mlp_scale));
}

// All layers, whose names are `prefix` and a number.
NodeId add_vit_layers(GraphBuilder& b, NodeId x, const std::string& prefix, const ViTNames& names,
                      const ViTStyle& style) {
  for (uint32_t i = 0; !b.failed(); ++i) {
    const std::string layer = formatted("{}{}.", prefix, i);
    if (!b.has(formatted("{}{}.weight", layer, names.attention_norm))) break;
    x = add_vit_layer(b, x, layer, names, style);
  }
  return x;
}

ViTStyle style_in(GraphBuilder& b, const Json& config, float epsilon) {
  return {.heads = number_in(b, config, "num_attention_heads", 12, 1024),
          .epsilon = epsilon_in(b, config, "layer_norm_eps", epsilon),
          .activation = activation_in(b, config, "hidden_act", Activation::gelu_erf)};
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
  const ViTStyle style = style_in(b, source.config, 1e-12F);
  x = b.layer_norm(add_vit_layers(b, x, "vit.encoder.layer.", kViTNames, style), "vit.layernorm", style.epsilon);
  const NodeId features = b.token(x, 0);
  b.linear(features, {"classifier"});
  return features;
}

NodeId add_deit(GraphBuilder& b, const FamilySource& source) {
  const std::string embeddings = "deit.embeddings.";
  NodeId x = patches(b, b.image(), embeddings + "patch_embeddings.projection");
  x = b.tokens(x, {embeddings + "cls_token", embeddings + "distillation_token"}, embeddings + "position_embeddings");
  const ViTStyle style = style_in(b, source.config, 1e-12F);
  x = b.layer_norm(add_vit_layers(b, x, "deit.encoder.layer.", kViTNames, style), "deit.layernorm", style.epsilon);
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
  x = add_vit_layers(b, x, root + "encoder.layer.", kDinoNames, style);
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
  x = add_vit_layers(b, x, "blocks.", kTimmNames, style);
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
