// ConvNeXt and ConvNeXt V2 (Liu et al. 2022, arXiv:2201.03545; Woo et al. 2023, arXiv:2301.00808), as transformers has
// them (modeling_convnext.py, modeling_convnextv2.py) and as timm does (convnext.py).

#include <string>

#include "architectures/vision/blocks.h"
#include "architectures/vision/families.h"

namespace quintet::vision {
namespace {

constexpr float kConvNextEpsilon = 1e-6F;

// The names of a block's layers; those of the norms and scales are whole, without ".weight" elsewhere.
struct ConvNextNames {
  std::string depthwise, norm, up, down;
  std::string response_weight, response_bias;  // V2
  std::string layer_scale;                     // V1
};

// x + scale * down(gelu(up(norm(depthwise(x))))), with a response norm after the GELU in V2.
NodeId add_convnext_block(GraphBuilder& b, NodeId x, const ConvNextNames& names) {
  NodeId y = b.conv(x, {names.depthwise});
  y = b.layer_norm(y, names.norm, kConvNextEpsilon);
  y = b.linear(y, {names.up}, {.activation = Activation::gelu_erf});
  if (b.has(names.response_weight))
    y = b.response_norm(y, names.response_weight, names.response_bias, kConvNextEpsilon);
  ConvOptions down = {.addend = x};
  if (b.has(names.layer_scale)) down.layer_scale = names.layer_scale;
  return b.linear(y, {names.down}, down);
}

NodeId classified_by_norm(GraphBuilder& b, NodeId x, const std::string& norm, float epsilon,
                          const std::string& classifier) {
  return b.classifier(b.layer_norm(b.mean(x), norm, epsilon), classifier);
}

}  // namespace

NodeId add_convnext(GraphBuilder& b, const FamilySource& source) {
  const bool is_v2 = !b.has("convnext.embeddings.patch_embeddings.weight");
  const std::string root = is_v2 ? "convnextv2." : "convnext.";
  if (activation_in(b, source.config, "hidden_act", Activation::gelu_erf) != Activation::gelu_erf) {
    b.fail_with(unsupported_error("config.json: hidden_act; supported is \"gelu\""));
  }
  NodeId x = patches(b, b.image(), root + "embeddings.patch_embeddings");
  x = b.layer_norm(x, root + "embeddings.layernorm", kConvNextEpsilon);
  for (uint32_t stage = 0; stage < 4; ++stage) {
    const std::string name = formatted("{}encoder.stages.{}.", root, stage);
    if (b.has(name + "downsampling_layer.1.weight")) {
      x = b.layer_norm(x, name + "downsampling_layer.0", kConvNextEpsilon);
      x = patches(b, x, name + "downsampling_layer.1");
    }
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string block = formatted("{}layers.{}.", name, i);
      if (!b.has(block + "dwconv.weight")) break;
      x = add_convnext_block(b, x,
                             {.depthwise = block + "dwconv",
                              .norm = block + "layernorm",
                              .up = block + "pwconv1",
                              .down = block + "pwconv2",
                              .response_weight = block + "grn.weight",
                              .response_bias = block + "grn.bias",
                              .layer_scale = block + "layer_scale_parameter"});
    }
  }
  return classified_by_norm(b, x, root + "layernorm", epsilon_in(b, source.config, "layer_norm_eps", 1e-12F),
                            "classifier");
}

NodeId add_timm_convnext(GraphBuilder& b, const FamilySource&) {
  NodeId x = b.layer_norm(patches(b, b.image(), "stem.0"), "stem.1", kConvNextEpsilon);
  for (uint32_t stage = 0; stage < 4; ++stage) {
    const std::string name = formatted("stages.{}.", stage);
    if (b.has(name + "downsample.1.weight")) {
      x = b.layer_norm(x, name + "downsample.0", kConvNextEpsilon);
      x = patches(b, x, name + "downsample.1");
    }
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string block = formatted("{}blocks.{}.", name, i);
      if (!b.has(block + "conv_dw.weight")) break;
      x = add_convnext_block(b, x,
                             {.depthwise = block + "conv_dw",
                              .norm = block + "norm",
                              .up = block + "mlp.fc1",
                              .down = block + "mlp.fc2",
                              .response_weight = block + "mlp.grn.weight",
                              .response_bias = block + "mlp.grn.bias",
                              .layer_scale = block + "gamma"});
    }
  }
  return classified_by_norm(b, x, "head.norm", kConvNextEpsilon, "head.fc");
}

}  // namespace quintet::vision
