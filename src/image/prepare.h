#pragma once
// From a picture to the input of an image network: shorter side scaled, centre cropped, samples normalised.

#include <array>

#include "base/aligned_buffer.h"
#include "image/resize.h"

namespace quintet {

struct Preparation {
  uint32_t size = 224;          // of the square that the network sees
  uint32_t shorter_side = 256;  // of the scaled picture from whose middle the square is cut
  // Of ImageNet's training pictures, with samples from 0 to 1.
  std::array<float, 3> mean = {0.485F, 0.456F, 0.406F};
  std::array<float, 3> standard_deviation = {0.229F, 0.224F, 0.225F};

  // As networks for `size` are evaluated: scaled to 256 for 224, or in proportion. Thumbnails such as CIFAR's 32x32 are
  // whole pictures and are not cropped.
  static Preparation for_size(uint32_t size);
};

// [3][size][size]: red, green, blue. Gray is repeated, alpha is dropped. Errors of the caller: a size of zero or too
// large, a mean that is not finite, a standard deviation that is not above zero.
Result<AlignedBuffer<float>> prepare_image(const Pixels& pixels, const Preparation& preparation);

}  // namespace quintet
