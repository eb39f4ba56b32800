#include <algorithm>

#include "kernels/variants.h"

namespace quintet::scalar {

void max_pool_f32(const float* input, size_t row_stride, float* output, const OutputGrid& grid) {
  for (size_t y = 0; y < grid.height; ++y) {
    for (size_t x = 0; x < grid.width; ++x) {
      for (size_t c = 0; c < grid.channels; ++c) {
        const float* const window = input + 2 * (y * row_stride + x * grid.channels) + c;
        float most = *window;
        for (size_t i = 1; i < 9; ++i) most = std::max(most, window[i / 3 * row_stride + i % 3 * grid.channels]);
        output[y * grid.row_stride + x * grid.channels + c] = most;
      }
    }
  }
}

}  // namespace quintet::scalar
