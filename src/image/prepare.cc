#include "image/prepare.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "image/resize.h"

namespace quintet {
namespace {

constexpr uint32_t kLargestThumbnail = 64;
constexpr size_t kColors = 3;

Status check_size(const char* what, const ImageSize& size) {
  for (const uint32_t side : {size.height, size.width}) {
    if (side != 0 && side <= kMaxInputSide) continue;
    return input_error(Reason::out_of_range, "{} {} x {} pixels; each side must have 1 to {}", what, size.height,
                       size.width, kMaxInputSide);
  }
  return {};
}

Status check_preparation(const Preparation& preparation) {
  if (preparation.scaling.kind != Scaling::Kind::none) {
    QUINTET_CHECK(check_size("pictures would be scaled to", preparation.scaling.size));
  }
  if (preparation.crop) QUINTET_CHECK(check_size("the input size is", preparation.crop->size));
  if (!std::isfinite(preparation.rescale_factor) || preparation.rescale_factor <= 0) {
    return input_error(Reason::out_of_range, "the rescale factor must be finite and above 0");
  }
  if (!std::isfinite(preparation.rescale_offset)) {
    return input_error(Reason::out_of_range, "the rescale offset must be finite");
  }
  for (const float mean : preparation.mean) {
    if (!std::isfinite(mean)) return input_error(Reason::out_of_range, "the mean must be finite");
  }
  for (const float deviation : preparation.standard_deviation) {
    if (std::isfinite(deviation) && deviation > 0) continue;
    return input_error(Reason::out_of_range, "the standard deviation must be finite and above 0");
  }
  return {};
}

struct ScaledSize {
  uint64_t height, width;
};

// torchvision's Resize and transformers' get_resize_output_image_size; with a limit, get_size_with_aspect_ratio of
// transformers/image_transforms.py, whose double numbers decide what is rounded down.
ScaledSize by_shorter_side(const ImageSize& picture, uint32_t side, uint32_t longest) {
  const uint64_t shorter = std::min(picture.height, picture.width);
  const uint64_t longer = std::max(picture.height, picture.width);
  uint64_t new_shorter = side, new_longer = longer * side / shorter;
  const auto real = [](uint64_t number) { return static_cast<double>(number); };
  if (longest != 0 && real(longer) / real(shorter) * side > longest) {
    const double limited = longest * real(shorter) / real(longer);
    new_shorter = static_cast<uint64_t>(std::nearbyint(limited));
    new_longer = new_shorter == shorter ? longer : static_cast<uint64_t>(limited * real(longer) / real(shorter));
  }
  return picture.width <= picture.height ? ScaledSize{new_longer, new_shorter} : ScaledSize{new_shorter, new_longer};
}

// timm's ResizeKeepRatio (timm/data/transforms.py), `longest` being 0 to cover and 1 to fit.
ScaledSize in_proportion(const ImageSize& picture, const Scaling& scaling) {
  const double down = picture.height / static_cast<double>(scaling.size.height);
  const double across = picture.width / static_cast<double>(scaling.size.width);
  const double ratio = scaling.kind == Scaling::Kind::fit ? std::max(down, across) : std::min(down, across);
  const auto scaled = [ratio](uint32_t side) { return static_cast<uint64_t>(std::nearbyint(side / ratio)); };
  return {scaled(picture.height), scaled(picture.width)};
}

Result<ScaledSize> scaled_size(const ImageSize& picture, const Scaling& scaling) {
  ScaledSize scaled = {picture.height, picture.width};
  switch (scaling.kind) {
    case Scaling::Kind::none:
      break;
    case Scaling::Kind::exact:
      scaled = {scaling.size.height, scaling.size.width};
      break;
    case Scaling::Kind::shorter_side:
      scaled = by_shorter_side(picture, scaling.size.height, scaling.longest);
      break;
    case Scaling::Kind::cover:
    case Scaling::Kind::fit:
      scaled = in_proportion(picture, scaling);
      break;
  }
  if (scaled.height != 0 && scaled.width != 0) return scaled;
  return input_error(Reason::out_of_range, "a picture of {} x {} pixels is too thin: nothing of it would be left",
                     picture.width, picture.height);
}

// The sources of one axis's samples, and their places in the input.
struct Placement {
  ResampledAxis axis;
  uint32_t before = 0;  // of the border
  uint32_t length = 0;  // of the input
};

Result<Placement> place(uint64_t length, uint64_t scaled, const std::optional<Crop>& crop, uint32_t ImageSize::* side) {
  if (!crop && scaled > kMaxInputSide) {
    return input_error(Reason::limit, "a side of {} pixels would become {}; at most {} are allowed", length, scaled,
                       kMaxInputSide);
  }
  const uint32_t wanted = crop ? crop->size.*side : static_cast<uint32_t>(scaled);
  const bool rounds_down = crop && crop->centering == Crop::Centering::down;
  if (scaled >= wanted) {
    const uint64_t margin = scaled - wanted;
    const uint64_t half = margin / 2;
    const bool goes_on = !rounds_down && margin % 2 != 0 && half % 2 != 0;
    return Placement{{length, scaled, half + (goes_on ? 1 : 0), wanted}, 0, wanted};
  }
  if (!crop->pads) {
    return input_error(Reason::out_of_range, "an input size of {} pixels, cropped from {}", wanted, scaled);
  }
  const uint32_t count = static_cast<uint32_t>(scaled);
  const uint32_t border = wanted - count;
  return Placement{{length, scaled, 0, count}, rounds_down ? border - border / 2 : border / 2, wanted};
}

struct Layout {
  Placement vertical, horizontal;
};

Result<Layout> lay_out(const ImageSize& picture, const Preparation& preparation) {
  QUINTET_TRY(const ScaledSize scaled, scaled_size(picture, preparation.scaling));
  Layout layout;
  QUINTET_TRY(layout.vertical, place(picture.height, scaled.height, preparation.crop, &ImageSize::height));
  QUINTET_TRY(layout.horizontal, place(picture.width, scaled.width, preparation.crop, &ImageSize::width));
  return layout;
}

// The network's values for the samples of a color. In float, as everywhere else.
std::array<float, 256> values_of_samples(const Preparation& preparation, size_t color) {
  std::array<float, 256> values;
  const float deviation = preparation.standard_deviation[color];
  for (size_t sample = 0; sample < values.size(); ++sample) {
    const double rescaled = static_cast<double>(sample) * preparation.rescale_factor;
    float value = static_cast<float>(rescaled) - preparation.rescale_offset;
    value = (value - preparation.mean[color]) / deviation;
    values[sample] = preparation.divides_twice ? value / deviation : value;
  }
  return values;
}

}  // namespace

Preparation Preparation::cropped(uint32_t size, uint32_t shorter_side) {
  return {.scaling = Scaling::to_shorter_side(shorter_side), .crop = Crop{.size = {size, size}}};
}

Preparation Preparation::for_size(uint32_t size) {
  const uint64_t with_margin = (uint64_t{size} * 256 + 112) / 224;
  return cropped(size, size <= kLargestThumbnail ? size : static_cast<uint32_t>(with_margin));
}

std::optional<ImageSize> Preparation::fixed_size() const {
  if (crop) return crop->size;
  if (scaling.kind == Scaling::Kind::exact) return scaling.size;
  return std::nullopt;
}

Result<ImageSize> prepared_size(const ImageSize& picture, const Preparation& preparation) {
  QUINTET_CHECK(check_preparation(preparation));
  if (picture.height == 0 || picture.width == 0) return input_error(Reason::out_of_range, "the picture is empty");
  QUINTET_TRY(const Layout layout, lay_out(picture, preparation));
  return ImageSize{layout.vertical.length, layout.horizontal.length};
}

Result<PreparedImage> prepare_image(const Pixels& pixels, const Preparation& preparation) {
  QUINTET_CHECK(check_preparation(preparation));
  QUINTET_CHECK(check_pixels(pixels));
  QUINTET_TRY(const Layout layout, lay_out({pixels.height, pixels.width}, preparation));
  const auto& [vertical, horizontal] = layout;
  QUINTET_TRY(const AlignedBuffer<uint8_t> part, resize(pixels, horizontal.axis, vertical.axis, preparation.filter));

  PreparedImage image{{}, vertical.length, horizontal.length};
  const size_t plane = size_t{image.height} * image.width;
  QUINTET_CHECK(image.data.resize_uninitialized(kColors * uint64_t{plane}));
  const size_t columns = horizontal.axis.count;
  for (size_t c = 0; c < kColors; ++c) {
    const std::array<float, 256> values = values_of_samples(preparation, c);
    float* to = image.data.data() + c * plane;
    if (size_t{vertical.axis.count} * columns != plane) {
      std::fill(to, to + plane, values[preparation.crop->border[c]]);
    }
    const uint8_t* sample = part.data() + (pixels.channels == 1 ? 0 : c);
    for (uint32_t y = 0; y < vertical.axis.count; ++y) {
      float* row = to + size_t{vertical.before + y} * image.width + horizontal.before;
      for (size_t x = 0; x < columns; ++x, sample += pixels.channels) row[x] = values[*sample];
    }
  }
  return image;
}

}  // namespace quintet
