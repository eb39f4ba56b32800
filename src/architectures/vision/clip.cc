// The towers of CLIP (Radford et al. 2021, arXiv:2103.00020) and SigLIP (Zhai et al. 2023, arXiv:2303.15343), as
// transformers has them (modeling_clip.py, modeling_siglip.py).

#include <string>
#include <utility>
#include <vector>

#include "architectures/vision/blocks.h"
#include "architectures/vision/towers.h"
#include "architectures/vision/vit_layers.h"

namespace quintet::vision {
namespace {

constexpr ViTNames kClipNames = {.attention_norm = "layer_norm1",
                                 .qkv = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
                                 .attention_output = "self_attn.out_proj",
                                 .mlp_norm = "layer_norm2",
                                 .up = "mlp.fc1",
                                 .down = "mlp.fc2"};
constexpr ViTStyle kClipText = {.heads = 8,
                                .epsilon = 1e-5F,
                                .activation = Activation::gelu_quick,
                                .mask = AttentionMask::causal,
                                .token = kLastToken};
constexpr ViTStyle kClipImage = {.heads = 12, .epsilon = 1e-5F, .activation = Activation::gelu_quick, .token = 0};
constexpr ViTStyle kSiglip = {.heads = 12, .epsilon = 1e-6F, .activation = Activation::gelu_tanh};

// The vector of the last token, after the last norm.
NodeId text_layers(GraphBuilder& b, const ViTStyle& style) {
  const std::string root = "text_model.", embeddings = root + "embeddings.";
  NodeId x = b.embedding(embeddings + "token_embedding.weight", embeddings + "position_embedding.weight");
  x = add_vit_layers(b, x, root + "encoder.layers.", kClipNames, style);
  return b.layer_norm(x, root + "final_layer_norm", style.epsilon);
}

// A learned vector, the probe, asks all tokens (Lee et al. 2018, arXiv:1810.00825, section 3.2). It is the first row,
// whose own keys and values are never used.
NodeId attention_pool(GraphBuilder& b, NodeId x, const std::string& head, const ViTStyle& style) {
  x = b.tokens(x, {head + "probe"}, "");
  const std::string attention = head + "attention.", whole = attention + "in_proj_";
  std::vector<std::string> qkv = {whole};
  if (!b.has(whole + "weight")) qkv = {attention + "q_proj", attention + "k_proj", attention + "v_proj"};
  x = b.linear(x, std::move(qkv));
  x = b.linear(b.attention(x, style.heads, AttentionMask::probe), {attention + "out_proj"});
  NodeId y = b.layer_norm(x, head + "layernorm", style.epsilon);
  y = b.linear(y, {head + "mlp.fc1"}, {.activation = style.activation});
  return b.linear(y, {head + "mlp.fc2"}, {.addend = x});
}

}  // namespace

NodeId add_clip_image(GraphBuilder& b, const FamilySource& source) {
  const std::string root = "vision_model.", embeddings = root + "embeddings.";
  const ViTStyle style = style_in(b, source.config, kClipImage);
  NodeId x = patches(b, b.image(), embeddings + "patch_embedding");
  x = b.tokens(x, {embeddings + "class_embedding"}, embeddings + "position_embedding.weight");
  x = b.layer_norm(x, root + "pre_layrnorm", style.epsilon);  // as the file spells it
  x = add_vit_layers(b, x, root + "encoder.layers.", kClipNames, style);
  x = b.layer_norm(x, root + "post_layernorm", style.epsilon);
  return b.linear(x, {"visual_projection"});
}

NodeId add_clip_text(GraphBuilder& b, const FamilySource& source) {
  return b.linear(text_layers(b, style_in(b, source.config, kClipText)), {"text_projection"});
}

NodeId add_siglip_image(GraphBuilder& b, const FamilySource& source) {
  const std::string root = "vision_model.", embeddings = root + "embeddings.";
  const ViTStyle style = style_in(b, source.config, kSiglip);
  NodeId x = patches(b, b.image(), embeddings + "patch_embedding");
  x = b.tokens(x, {}, embeddings + "position_embedding.weight");
  x = add_vit_layers(b, x, root + "encoder.layers.", kClipNames, style);
  x = b.layer_norm(x, root + "post_layernorm", style.epsilon);
  return attention_pool(b, x, root + "head.", style);
}

NodeId add_siglip_text(GraphBuilder& b, const FamilySource& source) {
  ViTStyle style = style_in(b, source.config, kSiglip);
  style.token = kLastToken;
  return b.linear(text_layers(b, style), {"text_model.head"});
}

}  // namespace quintet::vision
