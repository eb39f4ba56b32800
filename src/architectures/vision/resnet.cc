// ResNets and RegNets, as transformers has them (modeling_resnet.py, modeling_regnet.py) and as timm and torchvision do
// (resnet.py, regnet.py).

#include <string>

#include "architectures/vision/blocks.h"
#include "architectures/vision/families.h"

namespace quintet::vision {
namespace {

constexpr Window kStemPooling = {.kernel = 3, .stride = 2, .padding = {.before = 1, .after = 1}};

NodeId classified(GraphBuilder& b, NodeId x, const char* name) { return b.classifier(b.mean(x), name); }

}  // namespace

NodeId add_resnet(GraphBuilder& b, const FamilySource& source) {
  const Json& config = source.config;
  const bool strides_first_stage = flag_in(b, config, "downsample_in_first_stage", false),
             strides_first_conv = flag_in(b, config, "downsample_in_bottleneck", false);
  if (activation_in(b, config, "hidden_act", Activation::relu) != Activation::relu) {
    b.fail_with(unsupported_error("config.json: hidden_act; supported is \"relu\""));
  }
  NodeId x = b.conv(b.image(), normalized("resnet.embedder.embedder"), {.stride = 2, .activation = Activation::relu});
  x = b.max_pool(x, kStemPooling);
  for (uint32_t stage = 0; stage < 4; ++stage) {
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string name = formatted("resnet.encoder.stages.{}.layers.{}.", stage, i);
      if (!b.has(name + "layer.0.convolution.weight")) break;
      ResidualNames names;
      for (uint32_t conv = 0; b.has(formatted("{}layer.{}.convolution.weight", name, conv)); ++conv) {
        names.convs.push_back(normalized(formatted("{}layer.{}", name, conv)));
      }
      if (b.has(name + "shortcut.convolution.weight")) names.shortcut = normalized(name + "shortcut");
      const bool is_bottleneck = names.convs.size() == 3;
      x = residual_block(b, x, names,
                         {.stride = i == 0 && (stage != 0 || strides_first_stage) ? 2U : 1U,
                          .strided = is_bottleneck && !strides_first_conv ? 1U : 0U});
    }
  }
  return classified(b, x, "classifier.1");
}

NodeId add_regnet(GraphBuilder& b, const FamilySource& source) {
  const bool strides_first_stage = flag_in(b, source.config, "downsample_in_first_stage", true);
  NodeId x = b.conv(b.image(), normalized("regnet.embedder.embedder"), {.stride = 2, .activation = Activation::relu});
  for (uint32_t stage = 0; stage < 4; ++stage) {
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string name = formatted("regnet.encoder.stages.{}.layers.{}.", stage, i);
      if (!b.has(name + "layer.0.convolution.weight")) break;
      ResidualNames names = {.convs = {normalized(name + "layer.0"), normalized(name + "layer.1")}};
      const bool is_y = b.has(name + "layer.2.attention.0.weight");
      if (is_y) {
        names.reduce = name + "layer.2.attention.0";
        names.excite = name + "layer.2.attention.2";
      }
      names.convs.push_back(normalized(name + (is_y ? "layer.3" : "layer.2")));
      if (b.has(name + "shortcut.convolution.weight")) names.shortcut = normalized(name + "shortcut");
      const bool strides = i == 0 && (stage != 0 || strides_first_stage);
      x = residual_block(b, x, names, {.stride = strides ? 2U : 1U, .strided = 1, .excited = 1});
    }
  }
  return classified(b, x, "classifier.1");
}

// The deep stems of ResNet-C and -D have three convolutions (He et al. 2018, arXiv:1812.01187).
NodeId add_timm_resnet(GraphBuilder& b, const FamilySource&) {
  ConvOptions conv = {.stride = 2, .activation = Activation::relu};
  NodeId x = b.image();
  if (b.has("conv1.0.weight")) {
    x = b.conv(x, {"conv1.0", "conv1.1"}, conv);
    conv.stride = 1;
    x = b.conv(x, {"conv1.3", "conv1.4"}, conv);
    x = b.conv(x, {"conv1.6", "bn1"}, conv);
  } else {
    x = b.conv(x, {"conv1", "bn1"}, conv);
  }
  x = b.max_pool(x, kStemPooling);
  for (uint32_t stage = 1; stage <= 4; ++stage) {
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string name = formatted("layer{}.{}.", stage, i);
      if (!b.has(name + "conv1.weight")) break;
      ResidualNames names;
      for (uint32_t n = 1; b.has(formatted("{}conv{}.weight", name, n)); ++n) {
        names.convs.push_back({formatted("{}conv{}", name, n), formatted("{}bn{}", name, n)});
      }
      if (b.has(name + "se.fc1.weight")) {
        names.reduce = name + "se.fc1";
        names.excite = name + "se.fc2";
      }
      const bool pools = b.has(name + "downsample.2.weight");
      if (pools) {
        names.shortcut = {name + "downsample.1", name + "downsample.2"};
      } else if (b.has(name + "downsample.0.weight")) {
        names.shortcut = {name + "downsample.0", name + "downsample.1"};
      }
      x = residual_block(b, x, names,
                         {.stride = i == 0 && stage != 1 ? 2U : 1U,
                          .strided = names.convs.size() == 3 ? 1U : 0U,
                          .excited = names.convs.size() - 1,
                          .pools_shortcut = pools});
    }
  }
  return classified(b, x, "fc");
}

NodeId add_timm_regnet(GraphBuilder& b, const FamilySource&) {
  NodeId x = b.conv(b.image(), {"stem.conv", "stem.bn"}, {.stride = 2, .activation = Activation::relu});
  for (uint32_t stage = 1; stage <= 4; ++stage) {
    for (uint32_t i = 1; !b.failed(); ++i) {
      const std::string name = formatted("s{}.b{}.", stage, i);
      if (!b.has(name + "conv1.conv.weight")) break;
      const auto layer = [&](const char* conv) {
        return ConvNames{formatted("{}{}.conv", name, conv), formatted("{}{}.bn", name, conv)};
      };
      ResidualNames names = {.convs = {layer("conv1"), layer("conv2"), layer("conv3")}};
      if (b.has(name + "se.fc1.weight")) {
        names.reduce = name + "se.fc1";
        names.excite = name + "se.fc2";
      }
      if (b.has(name + "downsample.conv.weight")) names.shortcut = layer("downsample");
      x = residual_block(b, x, names, {.stride = i == 1 ? 2U : 1U, .strided = 1, .excited = 1});
    }
  }
  return classified(b, x, "head.fc");
}

}  // namespace quintet::vision
