#include "image/prepare.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "image/resize.h"

namespace quintet {
namespace {

constexpr uint32_t kLargestThumbnail = 64;
constexpr uint32_t kMaxSize = 4096;

// torchvision's CenterCrop rounds half of an odd margin to even.
uint64_t centered(uint64_t length, uint32_t part) {
  const uint64_t margin = length - part;
  const uint64_t half = margin / 2;
  return half + (margin % 2 != 0 && half % 2 != 0 ? 1 : 0);
}

ResampledAxis axis_of(uint32_t length, uint32_t shorter, const Preparation& preparation) {
  const uint64_t scaled =
      uint64_t{length} * preparation.shorter_side / shorter;  // rounded down, as torchvision's Resize
  return {.length = length, .scaled = scaled, .begin = centered(scaled, preparation.size), .count = preparation.size};
}

Status check_preparation(const Preparation& preparation) {
  if (preparation.size == 0 || preparation.size > preparation.shorter_side || preparation.shorter_side > kMaxSize) {
    return input_error(Reason::out_of_range, "an input size of {} pixels, cropped from {}", preparation.size,
                       preparation.shorter_side);
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

}  // namespace

Preparation Preparation::for_size(uint32_t size) {
  const uint64_t with_margin = (uint64_t{size} * 256 + 112) / 224;
  return {.size = size, .shorter_side = size <= kLargestThumbnail ? size : static_cast<uint32_t>(with_margin)};
}

Result<AlignedBuffer<float>> prepare_image(const Pixels& pixels, const Preparation& preparation) {
  QUINTET_CHECK(check_preparation(preparation));
  QUINTET_CHECK(check_pixels(pixels));
  const uint32_t size = preparation.size;
  const uint32_t shorter = std::min(pixels.width, pixels.height);
  QUINTET_TRY(const AlignedBuffer<uint8_t> square, resize(pixels, axis_of(pixels.width, shorter, preparation),
                                                          axis_of(pixels.height, shorter, preparation)));

  const size_t plane = size_t{size} * size;
  AlignedBuffer<float> input;
  QUINTET_CHECK(input.resize_uninitialized(3 * uint64_t{plane}));
  for (size_t c = 0; c < 3; ++c) {
    const uint8_t* sample = square.data() + (pixels.channels == 1 ? 0 : c);
    for (size_t i = 0; i < plane; ++i) {
      const float value = static_cast<float>(sample[i * pixels.channels]) / 255.0F;
      input[c * plane + i] = (value - preparation.mean[c]) / preparation.standard_deviation[c];
    }
  }
  return input;
}

}  // namespace quintet
