#pragma once
// An image becomes the map that a network's first convolution reads.

#include <span>
#include <vector>

#include "models/resnet/feature_map.h"

namespace quintet::resnet {

// `image`: [channels][height][width]. convert(values, count, result): a row of a channel as values of the map.
template <class T, class Convert>
Result<FeatureMap<T>> image_map(std::span<const float> image, size_t channels, size_t height, size_t width,
                                size_t border, Convert convert) {
  QUINTET_TRY(FeatureMap<T> map, FeatureMap<T>::make(height, width, channels, border));
  AlignedBuffer<T> row;
  QUINTET_CHECK(row.resize_uninitialized(width));
  const float* values = image.data();
  for (size_t c = 0; c < channels; ++c) {
    for (size_t y = 0; y < height; ++y, values += width) {
      convert(values, width, row.data());
      T* const pixels = map.pixel(y * width) + c;
      for (size_t x = 0; x < width; ++x) pixels[x * channels] = row[x];
    }
  }
  return map;
}

// Values of the interior in the order [channels][height][width]; value(T) gives each.
template <class Value, class T, class ValueOf>
std::vector<Value> planes_of(const FeatureMap<T>& map, ValueOf value) {
  std::vector<Value> planes(map.positions() * map.channels);
  for (size_t p = 0; p < map.positions(); ++p) {
    const T* const pixel = map.pixel(p);
    for (size_t c = 0; c < map.channels; ++c) planes[c * map.positions() + p] = value(pixel[c]);
  }
  return planes;
}

}  // namespace quintet::resnet
