// Vision transformers (Dosovitskiy et al. 2020, arXiv:2010.11929): ViT, DeiT, DINOv2 and DINOv3, as transformers has
// them (modeling_vit.py, modeling_deit.py, modeling_dinov2.py, modeling_dinov3_vit.py) and as timm does
// (vision_transformer.py, deit.py).

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "architectures/vision/blocks.h"
#include "architectures/vision/vit_layers.h"

namespace quintet::vision {
namespace {

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
constexpr ViTNames kGatedDinoNames = [] {
  ViTNames names = kDinoNames;
  names.up = "mlp.weights_in";
  names.down = "mlp.weights_out";
  return names;
}();
constexpr ViTNames kDinoV3Names = {.attention_norm = "norm1",
                                   .qkv = {"attention.q_proj", "attention.k_proj", "attention.v_proj"},
                                   .attention_output = "attention.o_proj",
                                   .mlp_norm = "norm2",
                                   .up = "mlp.up_proj",
                                   .down = "mlp.down_proj",
                                   .gate = "mlp.gate_proj",
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

float theta_in(GraphBuilder& b, const Json& config) {
  constexpr double kUsual = 100, kMax = 1e9;
  const Json* const said = config.find("rope_theta");
  const auto theta = said ? said->as_double() : std::optional(kUsual);
  if (theta && *theta > 1 && *theta <= kMax) return static_cast<float>(*theta);
  b.fail_with(format_error(Reason::out_of_range, 0, "config.json: rope_theta must be above 1 and at most 1e9"));
  return static_cast<float>(kUsual);
}

// The logits are the mean of two classifiers, one for each of the first two tokens.
NodeId distilled(GraphBuilder& b, NodeId x, const char* classifier, const char* distillation) {
  const NodeId features = b.token(x, 0), other = b.token(x, 1);
  const NodeId half = b.linear(features, {classifier}, {.factor = 0.5F});
  b.linear(other, {distillation}, {.addend = half, .factor = 0.5F});
  return features;
}

}  // namespace

// Facebook's DINO is one without a classifier.
NodeId add_vit(GraphBuilder& b, const FamilySource& source) {
  b.ignore("pooler.dense.weight");
  b.ignore("pooler.dense.bias");
  const std::string root = b.has("embeddings.cls_token") ? "" : "vit.", embeddings = root + "embeddings.";
  NodeId x = patches(b, b.image(), embeddings + "patch_embeddings.projection");
  x = b.tokens(x, {embeddings + "cls_token"}, embeddings + "position_embeddings");
  const ViTStyle style = style_in(b, source.config, {.heads = 12, .epsilon = 1e-12F, .token = 0});
  x = add_vit_layers(b, x, root + "encoder.layer.", kViTNames, style);
  return b.classifier(b.layer_norm(x, root + "layernorm", style.epsilon), "classifier");
}

NodeId add_deit(GraphBuilder& b, const FamilySource& source) {
  const std::string embeddings = "deit.embeddings.";
  NodeId x = patches(b, b.image(), embeddings + "patch_embeddings.projection");
  x = b.tokens(x, {embeddings + "cls_token", embeddings + "distillation_token"}, embeddings + "position_embeddings");
  const ViTStyle style = style_in(b, source.config, {.heads = 12, .epsilon = 1e-12F});
  x = b.layer_norm(add_vit_layers(b, x, "deit.encoder.layer.", kViTNames, style), "deit.layernorm", style.epsilon);
  if (b.has("distillation_classifier.weight")) return distilled(b, x, "cls_classifier", "distillation_classifier");
  const NodeId features = b.token(x, 0);
  b.linear(features, {"classifier"});
  return features;
}

// A classifier reads the class token and the mean of the patches; without one, the class token is the vector.
NodeId add_dinov2(GraphBuilder& b, const FamilySource& source) {
  b.ignore("embeddings.mask_token");
  std::string root;
  for (const char* const name : {"dinov2.", "dinov2_with_registers."}) {
    if (b.has(formatted("{}embeddings.cls_token", name))) root = name;
  }
  const std::string embeddings = root + "embeddings.", registers = embeddings + "register_tokens";
  const bool has_registers = b.has(registers);
  ViTStyle style = style_in(b, source.config, {.heads = 12, .epsilon = 1e-6F});
  style.gates = flag_in(b, source.config, "use_swiglu_ffn", false);
  if (style.gates) style.activation = Activation::silu;
  const bool has_classifier = b.has("classifier.weight");
  if (!has_classifier) style.token = 0;
  NodeId x = patches(b, b.image(), embeddings + "patch_embeddings.projection");
  std::vector<std::string> front = {embeddings + "cls_token"};
  if (has_registers) front.push_back(registers);
  x = b.tokens(x, std::move(front), embeddings + "position_embeddings",
               has_registers ? Resizing::antialiased : Resizing::bicubic);
  x = add_vit_layers(b, x, root + "encoder.layer.", style.gates ? kGatedDinoNames : kDinoNames, style);
  x = b.layer_norm(x, root + "layernorm", style.epsilon);
  if (!has_classifier) return x;
  const uint32_t count = has_registers ? number_in(b, source.config, "num_register_tokens", 4, 64) : 0;
  return b.classifier(b.concat(b.token(x, 0), b.patch_mean(x, 1 + count)), "classifier");
}

// The vector of the class token. Positions turn queries and keys instead of being added (modeling_dinov3_vit.py).
NodeId add_dinov3(GraphBuilder& b, const FamilySource& source) {
  b.ignore("embeddings.mask_token");
  const NodeId grid = patches(b, b.image(), "embeddings.patch_embeddings");
  ViTStyle style = style_in(b, source.config, {.heads = 6, .epsilon = 1e-5F, .token = 0});
  style.gates = flag_in(b, source.config, "use_gated_mlp", false);
  style.grid = grid;
  style.theta = theta_in(b, source.config);
  std::vector<std::string> front = {"embeddings.cls_token"};
  if (b.has("embeddings.register_tokens")) front.emplace_back("embeddings.register_tokens");
  NodeId x = b.tokens(grid, std::move(front), "");
  style.front = b.front(x);
  x = add_vit_layers(b, x, "layer.", kDinoV3Names, style);
  return b.layer_norm(x, "norm", style.epsilon);
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
  ViTStyle style = {.heads = number_in(b, source.config, "num_heads", std::max(b.channels(x) / kHeadWidth, 1U)),
                    .epsilon = 1e-6F};
  // Without a class token the vector is the mean of the patches; its own norm may follow.
  const bool averages = !has_class || b.has("fc_norm.weight");
  if (!averages && !is_distilled) style.token = 0;
  x = b.tokens(x, std::move(front), "pos_embed");
  const uint32_t others = b.front(x);
  x = add_vit_layers(b, x, "blocks.", kTimmNames, style);
  if (b.has("norm.weight")) x = b.layer_norm(x, "norm", style.epsilon);
  if (is_distilled) return distilled(b, x, "head", "head_dist");
  if (averages) x = b.patch_mean(x, others);
  if (b.has("fc_norm.weight")) x = b.layer_norm(x, "fc_norm", style.epsilon);
  return b.classifier(x, "head");
}

}  // namespace quintet::vision
