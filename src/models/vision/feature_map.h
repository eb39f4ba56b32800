#pragma once
// Activations with contiguous channels of each pixel, and the positions of the windows and outputs of a layer in them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/checked.h"
#include "formats/layer_table.h"
#include "kernels/convolution.h"
#include "models/vision/work_shares.h"

namespace quintet::vision {

// [height][width][channels] inside a border of zeros: the channels of a pixel are contiguous, and padding is part of
// the map, so that each row of a convolution's window is contiguous in memory (kernels/convolution.h).
template <class T>
struct FeatureMap {
  size_t height = 0;
  size_t width = 0;
  size_t channels = 0;
  size_t border = 0;  // pixels above and to the left; one more below and to the right, for the last tile of
                      // Winograd's algorithm
  AlignedBuffer<T> values;

  // The border is zero, everything else is uninitialized.
  static Result<FeatureMap> make(size_t height, size_t width, size_t channels, size_t border);

  size_t positions() const { return height * width; }
  size_t row_stride() const { return (width + 2 * border + 1) * channels; }
  // `y` and `x` may be in the border.
  T* at(ptrdiff_t y, ptrdiff_t x) { return values.data() + offset(y, x); }
  const T* at(ptrdiff_t y, ptrdiff_t x) const { return values.data() + offset(y, x); }
  // The channels of a pixel. Positions count row by row.
  T* pixel(size_t position) { return values.data() + offset(position); }
  const T* pixel(size_t position) const { return values.data() + offset(position); }

 private:
  // After the last row: kernels load whole vectors, and pairs of an odd number of values.
  static constexpr size_t kSlack = 32;

  size_t offset(ptrdiff_t y, ptrdiff_t x) const {
    const auto shift = static_cast<ptrdiff_t>(border);
    return static_cast<size_t>(y + shift) * row_stride() + static_cast<size_t>(x + shift) * channels;
  }
  size_t offset(size_t position) const {
    return offset(static_cast<ptrdiff_t>(position / width), static_cast<ptrdiff_t>(position % width));
  }
  void clear_border();
};

template <class T>
Result<FeatureMap<T>> FeatureMap<T>::make(size_t height, size_t width, size_t channels, size_t border) {
  FeatureMap map{.height = height, .width = width, .channels = channels, .border = border, .values = {}};
  const uint64_t frame = 2 * uint64_t{border} + 1;
  const uint64_t pixels = checked_mul(height + frame, width + frame).value_or(UINT64_MAX);
  const uint64_t values = checked_mul(pixels, channels).value_or(UINT64_MAX);
  QUINTET_CHECK(map.values.resize_uninitialized(checked_add(values, kSlack).value_or(UINT64_MAX)));
  map.clear_border();
  return map;
}

template <class T>
void FeatureMap<T>::clear_border() {
  const auto right = static_cast<ptrdiff_t>(width);
  const auto below = static_cast<ptrdiff_t>(height);
  std::fill(values.data(), at(0, 0), T{0});
  // The right border of a row and the left border of the next are contiguous.
  for (ptrdiff_t y = 0; y < below; ++y) std::fill(at(y, right), at(y + 1, 0), T{0});
  std::fill(at(below, 0), values.data() + values.size(), T{0});
}

// The map for a network's first convolution. `image`: [channels][height][width]. convert(values, count, result):
// converts a row of a channel to values of the map.
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

// The values inside the border in the order [channels][height][width], converted by value(T).
template <class Value, class T, class ValueOf>
std::vector<Value> planes_of(const FeatureMap<T>& map, ValueOf value) {
  std::vector<Value> planes(map.positions() * map.channels);
  for (size_t p = 0; p < map.positions(); ++p) {
    const T* const pixel = map.pixel(p);
    for (size_t c = 0; c < map.channels; ++c) planes[c * map.positions() + p] = value(pixel[c]);
  }
  return planes;
}

inline size_t output_length(size_t length, const ConvLayer& layer) {
  return (length + 2 * size_t{layer.padding} - layer.kernel) / layer.stride + 1;
}

// The start of the first window. The border of `x` must be at least the layer's padding.
template <class T>
const T* first_window(const ConvLayer& layer, const FeatureMap<T>& x) {
  const auto padding = static_cast<ptrdiff_t>(layer.padding);
  return x.at(-padding, -padding);
}

// The start of the first window: pixels above and to the left of the map.
struct Origin {
  ptrdiff_t above = 0;
  ptrdiff_t left = 0;
};

// `width`: windows in a line.
template <class T>
Im2colView im2col_view(const ConvLayer& layer, const FeatureMap<T>& x, size_t width) {
  return {.rows = layer.kernel,
          .run = layer.kernel * x.channels,
          .row_stride = x.row_stride(),
          .step = layer.stride * x.channels,
          .line = layer.stride * x.row_stride(),
          .width = width};
}

template <class T>
Im2colView im2col_view(const ConvLayer& layer, const FeatureMap<T>& x) {
  return im2col_view(layer, x, output_length(x.width, layer));
}

template <class T>
OutputGrid grid_of(const FeatureMap<T>& y) {
  return {.height = y.height, .width = y.width, .row_stride = y.row_stride(), .channels = y.channels};
}

// A linear layer is a convolution over one pixel.
inline ConvLayer as_convolution(const LinearLayer& linear) {
  return {.kernel = 1,
          .stride = 1,
          .padding = 0,
          .in_channels = linear.in_features,
          .out_channels = linear.out_features,
          .bias = linear.bias,
          .output = linear.output};
}

}  // namespace quintet::vision
