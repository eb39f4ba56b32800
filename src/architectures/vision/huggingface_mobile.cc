// MobileNetV1, MobileNetV2 and EfficientNet as transformers has them (modeling_mobilenet_v1.py,
// modeling_mobilenet_v2.py, modeling_efficientnet.py).

#include <algorithm>
#include <cmath>
#include <string>

#include "architectures/vision/blocks.h"
#include "architectures/vision/families.h"

namespace quintet::vision {
namespace {

void set_style(GraphBuilder& b, const Json& config) {
  b.style.same_padding = flag_in(b, config, "tf_padding", true);
  b.style.epsilon = epsilon_in(b, config, "layer_norm_eps", 1e-3F);
}

}  // namespace

NodeId add_mobilenet_v1(GraphBuilder& b, const FamilySource& source) {
  set_style(b, source.config);
  const Activation activation = activation_in(b, source.config, "hidden_act", Activation::relu6);
  NodeId x = b.conv(b.image(), normalized("mobilenet_v1.conv_stem"), {.stride = 2, .activation = activation});
  uint32_t layer = 0;
  for (const uint32_t stride : {1U, 2U, 1U, 2U, 1U, 2U, 1U, 1U, 1U, 1U, 1U, 2U, 1U}) {
    for (const uint32_t of_layer : {stride, 1U}) {
      x = b.conv(x, normalized(formatted("mobilenet_v1.layer.{}", layer++)),
                 {.stride = of_layer, .activation = activation});
    }
  }
  return b.classifier(b.mean(x), "classifier");
}

NodeId add_mobilenet_v2(GraphBuilder& b, const FamilySource& source) {
  set_style(b, source.config);
  const Activation activation = activation_in(b, source.config, "hidden_act", Activation::relu6);
  const std::string stem = "mobilenet_v2.conv_stem.";
  NodeId x = b.conv(b.image(), normalized(stem + "first_conv"), {.stride = 2, .activation = activation});
  // The first block has no shortcut here, even between equal numbers of channels.
  InvertedNames first = {.depthwise = normalized(stem + "conv_3x3"), .project = normalized(stem + "reduce_1x1")};
  if (b.has(stem + "expand_1x1.convolution.weight")) first.expand = normalized(stem + "expand_1x1");
  x = inverted_residual(b, x, first, {.activation = activation, .has_shortcut = false});
  uint32_t layer = 0;
  for (const uint32_t stride : {2U, 1U, 2U, 1U, 1U, 2U, 1U, 1U, 1U, 1U, 1U, 1U, 2U, 1U, 1U, 1U}) {
    const std::string name = formatted("mobilenet_v2.layer.{}.", layer++);
    x = inverted_residual(b, x,
                          {.expand = normalized(name + "expand_1x1"),
                           .depthwise = normalized(name + "conv_3x3"),
                           .project = normalized(name + "reduce_1x1")},
                          {.stride = stride, .activation = activation});
  }
  x = b.conv(x, normalized("mobilenet_v2.conv_1x1"), {.activation = activation});
  return b.classifier(b.mean(x), "classifier");
}

// Convolutions with a stride are padded by fixed amounts, which do not depend on the size of the input.
NodeId add_efficientnet(GraphBuilder& b, const FamilySource& source) {
  const Json& config = source.config;
  b.style.epsilon = epsilon_in(b, config, "batch_norm_eps", 1e-3F);
  const Activation activation = activation_in(b, config, "hidden_act", Activation::silu);
  const std::vector<uint32_t> strides = numbers_in(b, config, "strides", {1, 2, 2, 2, 1, 2, 1}),
                              repeats = numbers_in(b, config, "num_block_repeats", {1, 2, 2, 3, 3, 4, 1}),
                              kernels = numbers_in(b, config, "kernel_sizes", {3, 3, 5, 3, 5, 5, 3}),
                              symmetric = numbers_in(b, config, "depthwise_padding", {});
  const auto depth = config.get("depth_coefficient").as_double().value_or(1);
  if (repeats.size() != strides.size() || kernels.size() != strides.size() || !(depth > 0 && depth <= 16)) {
    b.fail_with(format_error(Reason::mismatch, 0, "config.json: the lists of stages differ in length"));
    return 0;
  }
  const std::string stem = "efficientnet.embeddings.", encoder = "efficientnet.encoder.";
  NodeId x = b.conv(b.image(), {stem + "convolution", stem + "batchnorm"},
                    {.stride = 2, .activation = activation, .padding = Padding{.after = 1}});
  uint32_t block = 0;
  for (size_t stage = 0; stage < strides.size(); ++stage) {
    const auto count = static_cast<uint32_t>(std::ceil(depth * repeats[stage]));
    for (uint32_t i = 0; i < count && !b.failed(); ++i, ++block) {
      const std::string name = formatted("{}blocks.{}.", encoder, block);
      const uint32_t stride = i == 0 ? strides[stage] : 1, half = kernels[stage] / 2;
      InvertedNames names = {
          .depthwise = {name + "depthwise_conv.depthwise_conv", name + "depthwise_conv.depthwise_norm"},
          .reduce = name + "squeeze_excite.reduce",
          .excite = name + "squeeze_excite.expand",
          .project = {name + "projection.project_conv", name + "projection.project_bn"}};
      const ConvNames expand = {name + "expansion.expand_conv", name + "expansion.expand_bn"};
      if (b.has(expand.conv + ".weight")) names.expand = expand;
      InvertedOptions options = {.stride = stride, .activation = activation, .squeeze = activation};
      options.has_shortcut = i != 0;
      const bool is_symmetric = std::ranges::find(symmetric, block) != symmetric.end();
      if (stride != 1) options.padding = Padding{.before = is_symmetric || half == 0 ? half : half - 1, .after = half};
      x = inverted_residual(b, x, names, options);
    }
  }
  x = b.conv(x, {encoder + "top_conv", encoder + "top_bn"}, {.activation = activation});
  if (config.get("pooling_type").as_string() && *config.get("pooling_type").as_string() != "mean") {
    b.fail_with(unsupported_error("config.json: pooling_type; supported is \"mean\""));
  }
  return b.classifier(b.mean(x), "classifier");
}

}  // namespace quintet::vision
