#pragma once
// Converts a picture to the input of an image network: scaled, its center cut out, its samples normalized.

#include <array>
#include <cstdint>
#include <optional>

#include "base/aligned_buffer.h"
#include "image/resize.h"

namespace quintet {

// The longest side of a network's input, and of the scaled picture that it is cut from.
constexpr uint32_t kMaxInputSide = 4096;

struct ImageSize {
  uint32_t height = 0;
  uint32_t width = 0;

  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

// The size that a picture is scaled to before its center is cut out.
struct Scaling {
  enum class Kind : uint8_t {
    none,
    shorter_side,  // becomes `size.height`; the longer side keeps the proportion, rounded down
    exact,         // `size`, for any proportion
    cover,         // the smallest picture of the same proportion that covers `size`, each side rounded
    fit,           // the largest that fits into `size`
  };
  Kind kind = Kind::none;
  ImageSize size = {};
  uint32_t longest = 0;  // of shorter_side: the picture is made smaller where its longer side would exceed this; 0: no

  static constexpr Scaling to_shorter_side(uint32_t side, uint32_t longest = 0) {
    return {Kind::shorter_side, {side, side}, longest};
  }
};

// The center that is cut out of the scaled picture.
struct Crop {
  // The rounding of half of an odd margin: torchvision and timm round to the even number, and put the odd pixel of a
  // border below and to the right; transformers puts it above and to the left.
  enum class Centering : uint8_t { half_to_even, down };

  ImageSize size = {};
  Centering centering = Centering::half_to_even;
  bool pads = false;                   // a picture that is smaller gets a border; otherwise it is an error
  std::array<uint8_t, 3> border = {};  // its color
};

struct Preparation {
  Scaling scaling = {};
  ResizeFilter filter = ResizeFilter::bilinear;
  std::optional<Crop> crop = {};
  // Samples become sample x rescale_factor - rescale_offset, then (value - mean) / standard_deviation. Without a
  // normalization the mean is 0 and the standard deviation 1.
  double rescale_factor = 1.0 / 255;
  float rescale_offset = 0;
  // Statistics of ImageNet's training images, for samples from 0 to 1.
  std::array<float, 3> mean = {0.485F, 0.456F, 0.406F};
  std::array<float, 3> standard_deviation = {0.229F, 0.224F, 0.225F};
  bool divides_twice = false;  // by the standard deviation, as EfficientNet's weights of Keras were trained

  // A square of the center, out of a picture whose shorter side is at least as long.
  static Preparation cropped(uint32_t size, uint32_t shorter_side);
  // The usual preparation for networks of `size`: scaled to 256 for 224, or in proportion. Thumbnails such as CIFAR's
  // 32x32 are not cropped.
  static Preparation for_size(uint32_t size);

  // The size that all pictures get; nothing if it depends on the picture.
  std::optional<ImageSize> fixed_size() const;
};

struct PreparedImage {
  AlignedBuffer<float> data;  // [3][height][width]: red, green, blue
  uint32_t height = 0;
  uint32_t width = 0;
};

// The size that a picture of height x width gets. INPUT for a size that is zero or above kMaxInputSide, for a crop that
// is larger than the scaled picture where it does not pad, and for numbers that are not finite, or not above zero where
// they scale.
Result<ImageSize> prepared_size(const ImageSize& picture, const Preparation& preparation);

// Gray is repeated, alpha is dropped. INPUT as for prepared_size(), check_pixels() and resize().
Result<PreparedImage> prepare_image(const Pixels& pixels, const Preparation& preparation);

}  // namespace quintet
