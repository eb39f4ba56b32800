#pragma once
// Converts a picture to the input of an image network: the shorter side scaled, the center cropped, the samples
// normalized.

#include <array>

#include "base/aligned_buffer.h"
#include "image/resize.h"

namespace quintet {

struct Preparation {
  uint32_t size = 224;          // side of the network's square input
  uint32_t shorter_side = 256;  // shorter side of the scaled picture, before cropping
  // Mean and standard deviation of ImageNet's training images, for samples from 0 to 1.
  std::array<float, 3> mean = {0.485F, 0.456F, 0.406F};
  std::array<float, 3> standard_deviation = {0.229F, 0.224F, 0.225F};

  // The usual preparation for networks of `size`: scaled to 256 for 224, or in proportion. Thumbnails such as CIFAR's
  // 32x32 are not cropped.
  static Preparation for_size(uint32_t size);
};

// [3][size][size]: red, green, blue. Gray is repeated, alpha is dropped. INPUT for a size that is zero or too large, a
// mean that is not finite, or a standard deviation that is not finite and above zero.
Result<AlignedBuffer<float>> prepare_image(const Pixels& pixels, const Preparation& preparation);

}  // namespace quintet
