// The networks that timm builds of mobile blocks (efficientnet.py, mobilenetv3.py, _efficientnet_blocks.py).

#include <string>
#include <string_view>

#include "architectures/vision/blocks.h"
#include "architectures/vision/families.h"

namespace quintet::vision {
namespace {

// In which order the last convolution, its batch norm and the mean over the pixels come.
enum class Head : uint8_t { conv_norm_mean, mean_conv, mean_conv_norm };

struct MobileKind {
  std::string_view architecture;  // starts with this
  std::string_view strides;       // of the first block of each stage
  Activation activation;
  uint32_t relu_stages;  // the first stages, which have ReLU
  Activation squeeze, gate;
  Head head;
  bool conv_has_shortcut;  // a plain convolution as a block
};

using enum Activation;
constexpr MobileKind kMobileKinds[] = {
    {"mobilenetv2_", "1222121", relu6, 0, relu, sigmoid, Head::conv_norm_mean, false},
    {"mobilenetv3_small", "222121", hard_swish, 2, relu, hard_sigmoid, Head::mean_conv, false},
    {"mobilenetv3_large", "1222121", hard_swish, 3, relu, hard_sigmoid, Head::mean_conv, false},
    {"mobilenetv4_conv_", "22221", relu, 0, relu, sigmoid, Head::mean_conv_norm, false},
    {"efficientnetv2_", "122212", silu, 0, silu, sigmoid, Head::conv_norm_mean, true},
    {"efficientnet_lite", "1222121", relu6, 0, relu6, sigmoid, Head::conv_norm_mean, false},
    {"efficientnet_b", "1222121", silu, 0, silu, sigmoid, Head::conv_norm_mean, false},
};

struct BlockPlace {
  std::string name;  // "blocks.0.1."
  uint32_t stride;
  Activation activation;
};

// The universal inverted bottleneck (Qin et al. 2024, arXiv:2404.10518): depthwise convolutions before and after the
// expansion, each of which may be missing. The second one, if it exists, has the stride.
NodeId universal_block(GraphBuilder& b, NodeId x, const BlockPlace& place) {
  const auto names = [&](const char* part) {
    return ConvNames{formatted("{}{}.conv", place.name, part), formatted("{}{}.bn", place.name, part)};
  };
  const auto has = [&](const char* part) { return b.has(formatted("{}{}.conv.weight", place.name, part)); };
  const bool strided_middle = has("dw_mid");
  NodeId y = x;
  if (has("dw_start")) y = b.conv(y, names("dw_start"), {.stride = strided_middle ? 1 : place.stride});
  y = b.conv(y, names("pw_exp"), {.activation = place.activation});
  if (strided_middle) y = b.conv(y, names("dw_mid"), {.stride = place.stride, .activation = place.activation});
  ConvOptions project = {.shortcut = place.stride == 1 ? x : kNoNode};
  const std::string scale = place.name + "layer_scale.gamma";
  if (b.has(scale)) project.layer_scale = scale;
  return b.conv(y, names("pw_proj"), project);
}

// The names of its convolutions show which block it is; a block without convolutions does not exist.
NodeId add_mobile_block(GraphBuilder& b, NodeId x, const MobileKind& kind, const BlockPlace& place) {
  const auto has = [&](const char* layer) { return b.has(formatted("{}{}.weight", place.name, layer)); };
  const auto names = [&](const char* conv, const char* norm) {
    return ConvNames{place.name + conv, place.name + norm};
  };
  InvertedNames layers;
  InvertedOptions options = {.stride = place.stride, .activation = place.activation};
  options.squeeze = kind.squeeze;
  options.gate = kind.gate;
  if (has("se.conv_reduce")) {
    layers.reduce = place.name + "se.conv_reduce";
    layers.excite = place.name + "se.conv_expand";
  }
  if (has("pw_exp.conv")) return universal_block(b, x, place);
  if (has("conv")) {
    const NodeId y = b.conv(x, names("conv", "bn1"), {.stride = place.stride, .activation = place.activation});
    const bool adds = kind.conv_has_shortcut && place.stride == 1 && b.channels(x) == b.channels(y);
    return adds ? b.sum(y, x, none) : y;
  }
  if (has("conv_exp")) {
    layers.expand = names("conv_exp", "bn1");
    layers.project = names("conv_pwl", "bn2");
  } else if (has("conv_pwl")) {
    layers.expand = names("conv_pw", "bn1");
    layers.depthwise = names("conv_dw", "bn2");
    layers.project = names("conv_pwl", "bn3");
  } else {
    layers.depthwise = names("conv_dw", "bn1");
    layers.project = names("conv_pw", "bn2");
  }
  return inverted_residual(b, x, layers, options);
}

bool has_block(const GraphBuilder& b, const std::string& name) {
  for (const char* const layer : {"conv_pw", "conv_exp", "conv", "pw_exp.conv"}) {
    if (b.has(formatted("{}{}.weight", name, layer))) return true;
  }
  return false;
}

}  // namespace

NodeId add_timm_blocks(GraphBuilder& b, const FamilySource& source) {
  const MobileKind* kind = nullptr;
  for (const MobileKind& each : kMobileKinds) {
    if (!kind && source.architecture.starts_with(each.architecture)) kind = &each;
  }
  if (!kind) {
    b.fail_with(unsupported_error("the architecture \"{}\" of timm", source.architecture));
    return 0;
  }
  b.style = {.same_padding = source.is_tensorflow, .epsilon = source.is_tensorflow ? 1e-3F : 1e-5F};

  NodeId x = b.conv(b.image(), {"conv_stem", "bn1"}, {.stride = 2, .activation = kind->activation});
  for (uint32_t stage = 0; stage < kind->strides.size(); ++stage) {
    const Activation activation = stage < kind->relu_stages ? relu : kind->activation;
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string name = formatted("blocks.{}.{}.", stage, i);
      if (!has_block(b, name)) break;
      const auto stride = static_cast<uint32_t>(i == 0 ? kind->strides[stage] - '0' : 1);
      x = add_mobile_block(b, x, *kind, {name, stride, activation});
    }
  }

  NodeId features = 0;
  switch (kind->head) {
    case Head::conv_norm_mean:
      features = b.mean(b.conv(x, {"conv_head", "bn2"}, {.activation = kind->activation}));
      break;
    case Head::mean_conv:
      features = b.conv(b.mean(x), {"conv_head"}, {.activation = kind->activation});
      break;
    case Head::mean_conv_norm:
      features = b.conv(b.mean(x), {"conv_head", "norm_head"}, {.activation = kind->activation});
      break;
  }
  return b.classifier(features, "classifier");
}

}  // namespace quintet::vision
