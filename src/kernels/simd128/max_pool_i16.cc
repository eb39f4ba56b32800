#include "kernels/generic/static_epilogue.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// `count` channels, at most eight.
v128_t largest_of_window(const int16_t* window, size_t row_stride, size_t channels, size_t count) {
  v128_t largest = wasm_i16x8_splat(INT16_MIN);
  for (size_t y = 0; y < 3; ++y) {
    for (size_t x = 0; x < 3; ++x) {
      v128_t pixel[1];
      generic::load_eight(window + y * row_stride + x * channels, count, pixel);
      largest = wasm_i16x8_max(largest, pixel[0]);
    }
  }
  return largest;
}

}  // namespace

void max_pool_i16(const int16_t* input, size_t row_stride, int16_t* output, const OutputGrid& grid) {
  const size_t channels = grid.channels;
  for (size_t y = 0; y < grid.height; ++y) {
    for (size_t x = 0; x < grid.width; ++x) {
      const int16_t* const window = input + 2 * y * row_stride + 2 * x * channels;
      int16_t* const to = output + y * grid.row_stride + x * channels;
      size_t c = 0;
      for (; c + 8 <= channels; c += 8) wasm_v128_store(to + c, largest_of_window(window + c, row_stride, channels, 8));
      if (c < channels) {
        const size_t rest = channels - c;
        generic::store_eight(to + c, rest, largest_of_window(window + c, row_stride, channels, rest));
      }
    }
  }
}

}  // namespace quintet::simd128
