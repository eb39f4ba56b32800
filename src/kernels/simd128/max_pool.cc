#include <algorithm>

#include "kernels/generic/static_epilogue.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// Channels in vectors, or one by one if `Vector` is a float.
struct Four {
  static constexpr size_t kCount = 4;
  static v128_t load(const float* p) { return wasm_v128_load(p); }
  static v128_t max(v128_t a, v128_t b) { return wasm_f32x4_pmax(a, b); }
  static void store(float* p, v128_t values) { wasm_v128_store(p, values); }
};
struct One {
  static constexpr size_t kCount = 1;
  static float load(const float* p) { return *p; }
  static float max(float a, float b) { return std::max(a, b); }
  static void store(float* p, float value) { *p = value; }
};

template <class Values>
[[gnu::always_inline]] inline size_t pool(const float* window, size_t row_stride, size_t channels, size_t c, float* y) {
  for (; c + Values::kCount <= channels; c += Values::kCount) {
    auto max = Values::load(window + c);
    for (size_t i = 1; i < 9; ++i)
      max = Values::max(max, Values::load(window + i / 3 * row_stride + i % 3 * channels + c));
    Values::store(y + c, max);
  }
  return c;
}

[[gnu::noinline]] void pool_window(const float* window, size_t row_stride, size_t channels, float* y) {
  pool<One>(window, row_stride, channels, pool<Four>(window, row_stride, channels, 0, y), y);
}

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

void max_pool_f32(const float* input, size_t row_stride, float* output, const OutputGrid& grid) {
  for (size_t y = 0; y < grid.height; ++y) {
    for (size_t x = 0; x < grid.width; ++x) {
      pool_window(input + 2 * (y * row_stride + x * grid.channels), row_stride, grid.channels,
                  output + y * grid.row_stride + x * grid.channels);
    }
  }
}

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
