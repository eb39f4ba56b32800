#include <algorithm>

#include "kernels/variants.h"

namespace quintet::scalar {

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
