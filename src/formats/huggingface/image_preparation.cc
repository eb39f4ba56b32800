#include "formats/huggingface/image_preparation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "formats/huggingface/image_fields.h"
#include "formats/known_fields.h"

namespace quintet::huggingface {
namespace {

// IMAGENET_STANDARD and OPENAI_CLIP of transformers/image_utils.py.
constexpr Normalization kStandard = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
constexpr Normalization kImageNet = {{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}};
constexpr Normalization kClip = {{0.48145466, 0.4578275, 0.40821073}, {0.26862954, 0.26130258, 0.27577711}};

constexpr double kMaxFactor = 1 << 16;

// A class of image processors, with its defaults.
struct Processor {
  std::string_view name;         // without "ImageProcessor"
  std::string_view model_types;  // that have it where no class is named (models/auto/image_processing_auto.py)
  Edges size;
  bool square;  // whether a size that is only a number is a square
  ResizeFilter filter;
  bool crops;
  uint32_t crop;  // side of the square
  const Normalization& normalization;
  std::string_view fields = {};  // that only this class has
};

// image_processing_*.py of transformers 4 and 5, which agree except for EfficientNet's filter: this is the older one.
// The first row is for files without a class.
constexpr Processor kProcessors[] = {
    {"ViT", "vit swin swinv2", {.height = 224, .width = 224}, true, ResizeFilter::bilinear, false, 0, kStandard},
    {"DeiT", "deit", {.height = 256, .width = 256}, true, ResizeFilter::bicubic, true, 224, kStandard},
    {"ConvNext",
     "convnext convnextv2 resnet regnet",
     {.shortest = 384},
     false,
     ResizeFilter::bilinear,
     false,
     0,
     kStandard,
     "crop_pct"},
    {"MobileNetV1", "mobilenet_v1", {.shortest = 256}, false, ResizeFilter::bilinear, true, 224, kStandard},
    {"MobileNetV2", "mobilenet_v2", {.shortest = 256}, false, ResizeFilter::bilinear, true, 224, kStandard},
    {"EfficientNet",
     "efficientnet",
     {.height = 346, .width = 346},
     true,
     ResizeFilter::nearest,
     false,
     289,
     kStandard,
     "rescale_offset include_top"},
    {"CLIP", "clip", {.shortest = 224}, false, ResizeFilter::bicubic, true, 224, kClip},
    {"Siglip", "siglip", {.height = 224, .width = 224}, true, ResizeFilter::bicubic, false, 0, kStandard},
    {"DINOv3ViT", "dinov3_vit", {.height = 224, .width = 224}, true, ResizeFilter::bilinear, false, 0, kImageNet},
    {"Bit", "bit dinov2 dinov2_with_registers", {.shortest = 224}, false, ResizeFilter::bicubic, true, 224, kClip},
};

// Fields of all classes: read below, or without influence on a picture of three colors.
constexpr std::string_view kFields =
    "_* image_processor_type feature_extractor_type processor_class auto_map use_fast do_resize size "
    "default_to_square resample do_center_crop crop_size do_rescale rescale_factor do_normalize image_mean image_std "
    "do_convert_rgb data_format input_data_format return_tensors device disable_grouping";

// "ViTImageProcessorFast", "ViTFeatureExtractor" -> "ViT". Empty for other classes.
std::string_view class_prefix(std::string_view type) {
  const size_t end = std::min(type.find("ImageProcessor"), type.find("FeatureExtractor"));
  return type.substr(0, end == type.npos ? 0 : end);
}

Result<const Processor*> processor_of(const ImageFields& fields, std::string_view model_type) {
  for (const std::string_view key : {"image_processor_type", "feature_extractor_type"}) {
    const Json* type = fields.find(key);
    if (!type) continue;
    const std::string* name = type->as_string();
    if (!name) return fields.wrong(key, "expected a string");
    const auto* row = std::ranges::find(kProcessors, class_prefix(*name), &Processor::name);
    if (row != std::end(kProcessors)) return row;
    std::string names;
    for (const Processor& processor : kProcessors) {
      names += formatted("{}{}", names.empty() ? "" : ", ", processor.name);
    }
    return fields.unsupported(key, formatted("supported are the image processors {}", names));
  }
  const auto* row = std::ranges::find_if(
      kProcessors, [model_type](const Processor& processor) { return is_listed(model_type, processor.model_types); });
  return row == std::end(kProcessors) ? &kProcessors[0] : row;
}

std::array<float, 3> floats(const std::array<double, 3>& numbers) {
  std::array<float, 3> rounded;
  std::ranges::transform(numbers, rounded.begin(), [](double number) { return static_cast<float>(number); });
  return rounded;
}

// transformers pads with zeros (center_crop of image_transforms.py).
Crop centered(uint32_t height, uint32_t width) {
  return {.size = {height, width}, .centering = Crop::Centering::down, .pads = true};
}

Scaling scaling_to(const Edges& edges) {
  if (edges.shortest != 0) return Scaling::to_shorter_side(edges.shortest, edges.longest);
  return {.kind = Scaling::Kind::exact, .size = {edges.height, edges.width}};
}

// A square: below 384 it is cut out of a picture scaled to size / crop_pct, from 384 on it is the whole picture.
Status read_convnext_scaling(const ImageFields& fields, uint32_t side, Preparation& preparation) {
  constexpr uint32_t kSquashed = 384;
  double part = 224.0 / 256;
  QUINTET_CHECK(fields.positive("crop_pct", kMaxInputSide, part));
  if (side >= kSquashed) {
    preparation.scaling = scaling_to({.height = side, .width = side});
    return {};
  }
  const double whole = side / part;
  if (!(whole >= 1 && whole <= kMaxInputSide)) return fields.wrong("crop_pct", "out of proportion to the size");
  preparation.scaling = Scaling::to_shorter_side(static_cast<uint32_t>(whole));
  preparation.crop = centered(side, side);
  return {};
}

Status read_scaling(const ImageFields& fields, const Processor& processor, Preparation& preparation) {
  bool resizes = true, crops = processor.crops, square = processor.square;
  QUINTET_CHECK(fields.flag("do_resize", resizes));
  QUINTET_CHECK(fields.flag("do_center_crop", crops));
  QUINTET_CHECK(fields.flag("default_to_square", square));
  Edges size = processor.size;
  QUINTET_CHECK(fields.edges("size", square, size));
  const bool is_convnext = is_listed("crop_pct", processor.fields);
  if (is_convnext && (!size.is_shortest() || size.longest != 0)) {
    return fields.wrong("size", "expected a number or shortest_edge");
  }
  if (is_convnext) return resizes ? read_convnext_scaling(fields, size.shortest, preparation) : Status();

  if (resizes) preparation.scaling = scaling_to(size);
  if (!crops) return {};
  Edges crop = {.height = processor.crop, .width = processor.crop};
  QUINTET_CHECK(fields.edges("crop_size", true, crop));
  if (!crop.is_exact()) return fields.wrong("crop_size", "expected a number, or height and width");
  preparation.crop = centered(crop.height, crop.width);
  return {};
}

Status read_filter(const ImageFields& fields, ResizeFilter& filter) {
  constexpr std::string_view kKey = "resample";
  const Json* field = fields.find(kKey);
  if (!field) return {};
  const auto number = field->as_uint();
  if (!number || *number >= std::size(kResizeFilterNames)) {
    return fields.wrong(kKey, formatted("expected a filter of PIL, 0 to {}", std::size(kResizeFilterNames) - 1));
  }
  filter = static_cast<ResizeFilter>(*number);
  return {};
}

// Samples to values.
Status read_values(const ImageFields& fields, const Processor& processor, Preparation& preparation) {
  const bool is_efficientnet = is_listed("include_top", processor.fields);
  bool rescales = true, normalizes = true, subtracts = false, divides = is_efficientnet;
  Normalization normalization = processor.normalization;
  QUINTET_CHECK(fields.flag("do_rescale", rescales));
  QUINTET_CHECK(fields.flag("do_normalize", normalizes));
  QUINTET_CHECK(fields.positive("rescale_factor", kMaxFactor, preparation.rescale_factor));
  QUINTET_CHECK(fields.normalization("image_mean", "image_std", normalization));
  if (is_efficientnet) {
    QUINTET_CHECK(fields.flag("rescale_offset", subtracts));
    QUINTET_CHECK(fields.flag("include_top", divides));
  }
  if (!rescales) preparation.rescale_factor = 1;
  if (rescales && subtracts) preparation.rescale_offset = 1;
  preparation.mean = normalizes ? floats(normalization.mean) : std::array<float, 3>{0, 0, 0};
  // Whether or not there is a normalization, include_top divides by its standard deviation.
  preparation.standard_deviation =
      normalizes || divides ? floats(normalization.deviation) : std::array<float, 3>{1, 1, 1};
  preparation.divides_twice = normalizes && divides;
  return {};
}

}  // namespace

Result<Preparation> read_preprocessor_config(const Json& config, std::string_view model_type) {
  constexpr std::string_view kWhere = "preprocessor_config.json";
  if (!config.as_object()) return fail(Code::format, Reason::malformed, "{}: not an object", kWhere);
  const ImageFields fields(config, kWhere);
  QUINTET_TRY(const Processor* processor, processor_of(fields, model_type));
  const std::string known = formatted("{} {}", kFields, processor->fields);
  QUINTET_CHECK(check_known(config, {.fixed = {}, .others = known}, kWhere));
  Preparation preparation{.filter = processor->filter};
  QUINTET_CHECK(read_filter(fields, preparation.filter));
  QUINTET_CHECK(read_scaling(fields, *processor, preparation));
  QUINTET_CHECK(read_values(fields, *processor, preparation));
  return preparation;
}

}  // namespace quintet::huggingface
