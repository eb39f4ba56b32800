#include <algorithm>

#include "kernels/variants.h"

namespace quintet::scalar {

void max_pool_f32(const float* input, size_t row_stride, float* output, const OutputGrid& grid) {
  for (size_t y = 0; y < grid.height; ++y) {
    for (size_t x = 0; x < grid.width; ++x) {
      for (size_t c = 0; c < grid.channels; ++c) {
        const float* const window = input + 2 * (y * row_stride + x * grid.channels) + c;
        float max = *window;
        for (size_t i = 1; i < 9; ++i) max = std::max(max, window[i / 3 * row_stride + i % 3 * grid.channels]);
        output[y * grid.row_stride + x * grid.channels + c] = max;
      }
    }
  }
}

void max_pool_i16(const int16_t* input, size_t row_stride, int16_t* output, const OutputGrid& grid) {
  for (size_t i = 0; i < grid.height * grid.width; ++i) {
    const int16_t* const window = input + i / grid.width * 2 * row_stride + i % grid.width * 2 * grid.channels;
    for (size_t c = 0; c < grid.channels; ++c) {
      int16_t largest = window[c];
      for (size_t k = 1; k < 9; ++k)
        largest = std::max(largest, window[k / 3 * row_stride + k % 3 * grid.channels + c]);
      output[grid.offset(i) + c] = largest;
    }
  }
}

}  // namespace quintet::scalar
