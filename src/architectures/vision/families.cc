#include "architectures/vision/families.h"

#include <algorithm>
#include <utility>

namespace quintet::vision {
namespace {

enum class Source : uint8_t { hugging_face, timm, torchvision };

struct Family {
  Source source;
  std::string_view key;  // `model_type`, the start of timm's architecture, or the name of a tensor
  std::string_view name;
  AddFamily* add;
};

// ImageNet's, where the files have none.
constexpr uint32_t kUsualSize = 224;

// The first row that fits is taken.
constexpr Family kFamilies[] = {
    {Source::hugging_face, "mobilenet_v1", "MobileNetV1", add_mobilenet_v1},
    {Source::hugging_face, "mobilenet_v2", "MobileNetV2", add_mobilenet_v2},
    {Source::hugging_face, "efficientnet", "EfficientNet", add_efficientnet},
    {Source::hugging_face, "resnet", "ResNet", add_resnet},
    {Source::hugging_face, "regnet", "RegNet", add_regnet},
    {Source::hugging_face, "convnext", "ConvNeXt", add_convnext},
    {Source::hugging_face, "convnextv2", "ConvNeXt V2", add_convnext},
    {Source::hugging_face, "vit", "ViT", add_vit},
    {Source::hugging_face, "deit", "DeiT", add_deit},
    {Source::hugging_face, "dinov2", "DINOv2", add_dinov2},
    {Source::hugging_face, "dinov2_with_registers", "DINOv2", add_dinov2},
    {Source::hugging_face, "dinov3_vit", "DINOv3", add_dinov3},
    {Source::hugging_face, "swin", "Swin", add_swin},
    {Source::timm, "mobilenetv2_", "MobileNetV2", add_timm_blocks},
    {Source::timm, "mobilenetv3_", "MobileNetV3", add_timm_blocks},
    {Source::timm, "mobilenetv4_conv_", "MobileNetV4", add_timm_blocks},
    {Source::timm, "efficientnetv2_", "EfficientNetV2", add_timm_blocks},
    {Source::timm, "efficientnet_lite", "EfficientNet-Lite", add_timm_blocks},
    {Source::timm, "efficientnet_b", "EfficientNet", add_timm_blocks},
    {Source::timm, "resnet", "ResNet", add_timm_resnet},
    {Source::timm, "resnext", "ResNeXt", add_timm_resnet},
    {Source::timm, "seresnet", "SE-ResNet", add_timm_resnet},
    {Source::timm, "seresnext", "SE-ResNeXt", add_timm_resnet},
    {Source::timm, "wide_resnet", "Wide ResNet", add_timm_resnet},
    {Source::timm, "regnetx_", "RegNetX", add_timm_regnet},
    {Source::timm, "regnety_", "RegNetY", add_timm_regnet},
    {Source::timm, "convnextv2_", "ConvNeXt V2", add_timm_convnext},
    {Source::timm, "convnext_", "ConvNeXt", add_timm_convnext},
    {Source::timm, "vit_", "ViT", add_timm_vit},
    {Source::timm, "deit_", "DeiT", add_timm_vit},
    {Source::timm, "swin_", "Swin", add_timm_swin},
    {Source::torchvision, "features.1.conv.0.0.weight", "MobileNetV2", add_torchvision_blocks},
    {Source::torchvision, "features.1.block.0.0.weight", "MobileNetV3", add_torchvision_blocks},
    {Source::torchvision, "features.1.0.block.0.0.weight", "EfficientNet", add_torchvision_blocks},
    {Source::torchvision, "layer1.0.conv1.weight", "ResNet", add_timm_resnet},
};

bool has_tensor(const std::vector<TensorInfo>& tensors, std::string_view name) {
  return std::ranges::find(tensors, name, &TensorInfo::name) != tensors.end();
}

const Family* find_family(Source source, std::string_view key, const std::vector<TensorInfo>& tensors) {
  for (const Family& family : kFamilies) {
    if (family.source != source) continue;
    const bool fits = source == Source::hugging_face ? key == family.key
                      : source == Source::timm       ? key.starts_with(family.key)
                                                     : has_tensor(tensors, family.key);
    if (fits) return &family;
  }
  return nullptr;
}

std::string_view text_in(const Json& config, std::string_view key) {
  const std::string* text = config.get(key).as_string();
  return text ? std::string_view(*text) : std::string_view();
}

std::string supported(Source source) {
  std::string list;
  for (const Family& family : kFamilies) {
    if (family.source == source) list += formatted("{}{}", list.empty() ? "" : ", ", family.key);
  }
  return list;
}

// `architecture`: without "tf_".
Result<const Family*> timm_family(std::string_view architecture) {
  const Family* const family = find_family(Source::timm, architecture, {});
  if (family) return family;
  return unsupported_error("the architecture \"{}\" of timm; supported are {}", architecture, supported(Source::timm));
}

Result<Graph> build(const Family& family, const FamilySource& source, std::string_view prefix, uint32_t input_size,
                    const std::vector<TensorInfo>& tensors) {
  GraphBuilder builder(tensors, std::string(prefix), std::string(family.name), input_size);
  const NodeId features = family.add(builder, source);
  return std::move(builder).finish(features);
}

uint32_t side_of(const Json& size) {
  const std::vector<Json>* sides = size.as_array();
  const auto side = (sides && !sides->empty() ? sides->back() : size).as_uint();
  return side && *side > 0 && *side <= 4096 ? static_cast<uint32_t>(*side) : 0;
}

}  // namespace

Result<Graph> read_graph(const Json& config, const std::vector<TensorInfo>& tensors) {
  std::string_view architecture = text_in(config, "architecture");
  if (!architecture.empty()) {
    // timm_wrapper of transformers has the network inside.
    const std::string_view prefix = text_in(config, "model_type") == "timm_wrapper" ? "timm_model." : "";
    const bool is_tensorflow = architecture.starts_with("tf_");
    if (is_tensorflow) architecture.remove_prefix(3);
    QUINTET_TRY(const Family* const family, timm_family(architecture));
    const uint32_t side = side_of(config.get("pretrained_cfg").get("input_size"));
    return build(*family, {config.get("model_args"), architecture, is_tensorflow}, prefix, side ? side : kUsualSize,
                 tensors);
  }
  const std::string_view type = text_in(config, "model_type");
  if (!type.empty()) {
    const Family* const family = find_family(Source::hugging_face, type, tensors);
    if (!family) {
      return unsupported_error("the model_type \"{}\" is not one of an image classifier; supported are {}", type,
                               supported(Source::hugging_face));
    }
    const uint32_t side = side_of(config.get("image_size"));
    return build(*family, {config, "", false}, "", side ? side : kUsualSize, tensors);
  }
  const Family* const family = find_family(Source::torchvision, "", tensors);
  if (!family) return unsupported_error("the tensor names are not those of an image network that is known");
  return build(*family, {config, family->name, false}, "", kUsualSize, tensors);
}

NodeId add_timm_tower(GraphBuilder& b, const FamilySource& source) {
  auto family = timm_family(source.architecture);
  if (!family) {
    b.fail_with(failure_of(std::move(family)));
    return 0;
  }
  const NodeId features = (*family)->add(b, source);
  const std::string first = "head.mlp.fc1";
  if (!b.has(first + ".weight")) return b.has("head.proj.weight") ? b.linear(features, {"head.proj"}) : features;
  return b.linear(b.linear(features, {first}, {.activation = Activation::gelu_erf}), {"head.mlp.fc2"});
}

uint32_t number_in(GraphBuilder& b, const Json& config, std::string_view key, uint32_t absent, uint32_t max) {
  const Json* const value = config.find(key);
  if (!value) return absent;
  const auto number = value->as_uint();
  if (number && *number > 0 && *number <= max) return static_cast<uint32_t>(*number);
  b.fail_with(format_error(Reason::out_of_range, 0, "config.json: {} must be a whole number from 1 to {}", key, max));
  return absent;
}

float epsilon_in(GraphBuilder& b, const Json& config, std::string_view key, float absent) {
  const Json* const value = config.find(key);
  if (!value) return absent;
  const auto number = value->as_double();
  if (number && *number > 0 && *number <= 1) return static_cast<float>(*number);
  b.fail_with(format_error(Reason::out_of_range, 0, "config.json: {} must be above 0 and at most 1", key));
  return absent;
}

bool flag_in(GraphBuilder& b, const Json& config, std::string_view key, bool absent) {
  const Json* const value = config.find(key);
  if (!value) return absent;
  const auto flag = value->as_bool();
  if (!flag) b.fail_with(format_error(Reason::malformed, 0, "config.json: {} must be true or false", key));
  return flag.value_or(absent);
}

std::vector<uint32_t> numbers_in(GraphBuilder& b, const Json& config, std::string_view key,
                                 std::vector<uint32_t> absent) {
  const Json* const value = config.find(key);
  if (!value) return absent;
  constexpr size_t kMaxCount = 1024, kMax = 1 << 16;
  const std::vector<Json>* const list = value->as_array();
  std::vector<uint32_t> numbers;
  if (list && list->size() <= kMaxCount) {
    for (const Json& each : *list) {
      const auto number = each.as_uint();
      if (number && *number <= kMax) numbers.push_back(static_cast<uint32_t>(*number));
    }
    if (numbers.size() == list->size()) return numbers;
  }
  b.fail_with(format_error(Reason::malformed, 0, "config.json: {} must be a list of whole numbers", key));
  return absent;
}

Activation activation_in(GraphBuilder& b, const Json& config, std::string_view key, Activation absent) {
  struct Named {
    std::string_view name;
    Activation activation;
  };
  constexpr Named kNames[] = {{"relu", Activation::relu},
                              {"relu6", Activation::relu6},
                              {"silu", Activation::silu},
                              {"swish", Activation::silu},
                              {"gelu", Activation::gelu_erf},
                              {"quick_gelu", Activation::gelu_quick},
                              {"gelu_new", Activation::gelu_tanh},
                              {"hard_swish", Activation::hard_swish},
                              {"hardswish", Activation::hard_swish},
                              {"gelu_pytorch_tanh", Activation::gelu_tanh}};
  const Json* const value = config.find(key);
  if (!value) return absent;
  const std::string* const text = value->as_string();
  for (const Named& named : kNames) {
    if (text && *text == named.name) return named.activation;
  }
  b.fail_with(unsupported_error("config.json: {} is not a known activation", key));
  return absent;
}

}  // namespace quintet::vision
