#pragma once
// An image becomes the map that a network's first convolution reads.

#include <span>
#include <vector>

#include "models/resnet/feature_map.h"
#include "models/resnet/work_shares.h"

namespace quintet::resnet {

// `image`: [channels][height][width]. convert(values, count, result): a row of a channel as values of the map.
template <class T, class Convert>
Result<FeatureMap<T>> image_map(std::span<const float> image, size_t channels, size_t height, size_t width,
                                size_t border, Convert convert) {
  QUINTET_TRY(FeatureMap<T> map, FeatureMap<T>::make(height, width, channels, border));
  AlignedBuffer<T> room;
  QUINTET_CHECK(room.resize_uninitialized(uint64_t{thread_count()} * width));
  const Partition rows = shares_of(height, uint64_t{width} * channels);
  parallel_for(rows.parts, [&](size_t part, size_t thread) {
    T* const row = room.data() + thread * width;
    for (size_t y = rows.begin(part); y < rows.end(part); ++y) {
      for (size_t c = 0; c < channels; ++c) {
        convert(image.data() + (c * height + y) * width, width, row);
        T* const pixels = map.pixel(y * width) + c;
        for (size_t x = 0; x < width; ++x) pixels[x * channels] = row[x];
      }
    }
  });
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
