#pragma once
// What flows between the layers of a convolutional network.

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"

namespace quintet::resnet {

// [height][width][channels]: a pixel's channels lie together, so that a 1x1 convolution is a plain matrix product and
// the patches of larger ones are copied in long runs.
struct FeatureMap {
  size_t height = 0;
  size_t width = 0;
  size_t channels = 0;
  AlignedBuffer<float> values;

  // Values are indeterminate.
  static Result<FeatureMap> make(size_t height, size_t width, size_t channels) {
    FeatureMap map{.height = height, .width = width, .channels = channels, .values = {}};
    QUINTET_CHECK(map.values.resize_uninitialized(uint64_t{height} * width * channels));
    return map;
  }

  size_t positions() const { return height * width; }
  float* at(size_t y, size_t x) { return values.data() + (y * width + x) * channels; }
  const float* at(size_t y, size_t x) const { return values.data() + (y * width + x) * channels; }
};

}  // namespace quintet::resnet
