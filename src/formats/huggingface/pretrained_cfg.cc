// timm: create_transform and transforms_imagenet_eval of timm/data/transforms_factory.py.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "formats/huggingface/image_fields.h"
#include "formats/huggingface/image_preparation.h"

namespace quintet::huggingface {
namespace {

enum class CropMode : uint8_t { center, squash, border };
constexpr std::string_view kCropModes[] = {"center", "squash", "border"};

// The index of a name in a list; `number` stays if the field is absent.
template <size_t count>
Status read_name(const ImageFields& fields, std::string_view key, const std::string_view (&names)[count],
                 size_t& number) {
  const Json* field = fields.find(key);
  if (!field) return {};
  const std::string* name = field->as_string();
  const auto* found = name ? std::ranges::find(names, *name) : std::end(names);
  if (found == std::end(names)) {
    std::string all;
    for (const std::string_view known : names) all += formatted("{}{}", all.empty() ? "" : ", ", known);
    return fields.unsupported(key, formatted("supported are {}", all));
  }
  number = static_cast<size_t>(found - std::begin(names));
  return {};
}

Status read_input_size(const ImageFields& fields, ImageSize& size) {
  constexpr std::string_view kKey = "input_size";
  const Json* field = fields.find(kKey);
  if (!field) return {};
  const Json::Array* list = field->as_array();
  const bool is_shape = list && list->size() == 3;
  const auto height = is_shape ? side_of((*list)[1]) : std::nullopt;
  const auto width = is_shape ? side_of((*list)[2]) : std::nullopt;
  if (!height || !width || (*list)[0].as_uint() != 3) {
    return fields.wrong(kKey, formatted("expected [3, height, width] with sides from 1 to {}", kMaxInputSide));
  }
  size = {*height, *width};
  return {};
}

Result<uint32_t> scaled_side(const ImageFields& fields, uint32_t side, double part) {
  const double whole = std::floor(side / part);
  if (whole >= 1 && whole <= kMaxInputSide) return static_cast<uint32_t>(whole);
  return fields.wrong("crop_pct", "out of proportion to input_size");
}

uint8_t sample_of(double value) { return static_cast<uint8_t>(std::clamp(std::nearbyint(255 * value), 0.0, 255.0)); }

}  // namespace

Result<Preparation> read_pretrained_cfg(const Json& config) {
  const Json* inner = config.find("pretrained_cfg");
  const std::string_view where = inner ? "config.json: pretrained_cfg" : "config.json";
  const Json& values = inner ? *inner : config;
  if (!values.as_object()) return fail(Code::format, Reason::malformed, "{}: not an object", where);
  const ImageFields fields(values, where);

  ImageSize size = {224, 224};
  QUINTET_CHECK(read_input_size(fields, size));
  double part = 0.875;
  QUINTET_CHECK(fields.positive("crop_pct", kMaxInputSide, part));
  size_t mode = 0, filter = static_cast<size_t>(ResizeFilter::bicubic);
  QUINTET_CHECK(read_name(fields, "crop_mode", kCropModes, mode));
  QUINTET_CHECK(read_name(fields, "interpolation", kResizeFilterNames, filter));
  Normalization normalization = {{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}};
  QUINTET_CHECK(fields.normalization("mean", "std", normalization));

  Preparation preparation{.filter = static_cast<ResizeFilter>(filter), .crop = Crop{.size = size, .pads = true}};
  ImageSize scaled;
  QUINTET_TRY(scaled.height, scaled_side(fields, size.height, part));
  QUINTET_TRY(scaled.width, scaled_side(fields, size.width, part));
  Scaling& scaling = preparation.scaling;
  scaling.size = scaled;
  switch (static_cast<CropMode>(mode)) {
    case CropMode::center:
      scaling.kind = scaled.height == scaled.width ? Scaling::Kind::shorter_side : Scaling::Kind::cover;
      break;
    case CropMode::squash:
      scaling.kind = Scaling::Kind::exact;
      break;
    case CropMode::border:
      scaling.kind = Scaling::Kind::fit;
      std::ranges::transform(normalization.mean, preparation.crop->border.begin(), sample_of);
      break;
  }
  for (size_t c = 0; c < 3; ++c) {
    preparation.mean[c] = static_cast<float>(normalization.mean[c]);
    preparation.standard_deviation[c] = static_cast<float>(normalization.deviation[c]);
  }
  return preparation;
}

}  // namespace quintet::huggingface
