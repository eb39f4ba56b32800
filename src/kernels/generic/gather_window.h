#pragma once
// The values of a window in the order of im2col, [channels][rows][columns], of a map whose pixels' channels lie
// together.

#include <algorithm>
#include <cstring>

#include "kernels/convolution.h"
#include "kernels/wasm_simd.h"

namespace quintet::generic {

class WindowGather {
 public:
  // Values at once, and room for them.
  static constexpr size_t kMost = 2304;
  static constexpr size_t kNineTaps = 9;
  struct Buffer {
    alignas(16) float values[kMost + 2 * kNineTaps];
  };

  WindowGather(const Windows& windows, size_t channels)
      : row_stride_(windows.row_stride), channels_(channels), rows_(windows.rows), columns_(windows.run / channels) {}

  // Where values [begin, begin + count) lie in order, at most kMost: in the window, or now in the buffer.
  const float* operator()(const float* window, size_t begin, size_t count, Buffer& buffer) const {
    if (rows_ * columns_ == 1) return window + begin;
    if (rows_ == 3 && columns_ == 3) {
      const size_t channel = begin / kNineTaps;
      nine_taps(window, channel, (begin + count + kNineTaps - 1) / kNineTaps, buffer.values);
      return buffer.values + begin % kNineTaps;
    }
    any_taps(window, begin, count, buffer.values);
    return buffer.values;
  }

 private:
  void any_taps(const float* window, size_t begin, size_t count, float* out) const {
    size_t x = begin % columns_;
    size_t y = begin / columns_ % rows_;
    size_t channel = begin / columns_ / rows_;
    for (float* const end = out + count; out != end;) {
      const float* in = window + y * row_stride_ + x * channels_ + channel;
      const size_t run = std::min(columns_ - x, static_cast<size_t>(end - out));
      for (size_t i = 0; i < run; ++i, in += channels_) *out++ = *in;
      x = 0;
      if (++y == rows_) {
        y = 0;
        ++channel;
      }
    }
  }

  // All of channels [channel, end).
  void nine_taps(const float* window, size_t channel, size_t end, float* out) const {
    if (end - channel < 4) return any_taps(window, channel * kNineTaps, (end - channel) * kNineTaps, out);
    for (; channel + 4 <= end; channel += 4, out += 4 * kNineTaps) four_channels(window + channel, out);
    // The last four once more.
    if (channel != end) four_channels(window + end - 4, out - (channel + 4 - end) * kNineTaps);
  }

  void four_channels(const float* in, float* out) const {
    const float* const second = in + row_stride_;
    const float* const third = second + row_stride_;
    four_taps(wasm_v128_load(in), wasm_v128_load(in + channels_), wasm_v128_load(in + 2 * channels_),
              wasm_v128_load(second), out);
    four_taps(wasm_v128_load(second + channels_), wasm_v128_load(second + 2 * channels_), wasm_v128_load(third),
              wasm_v128_load(third + channels_), out + 4);
    const v128_t last = wasm_v128_load(third + 2 * channels_);
    wasm_v128_store32_lane(out + 8, last, 0);
    wasm_v128_store32_lane(out + 8 + kNineTaps, last, 1);
    wasm_v128_store32_lane(out + 8 + 2 * kNineTaps, last, 2);
    wasm_v128_store32_lane(out + 8 + 3 * kNineTaps, last, 3);
  }

  // Four channels of four taps each, transposed.
  static void four_taps(v128_t a, v128_t b, v128_t c, v128_t d, float* out) {
    const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
    const v128_t ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
    const v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
    const v128_t cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
    wasm_v128_store(out, wasm_i64x2_shuffle(ab_low, cd_low, 0, 2));
    wasm_v128_store(out + kNineTaps, wasm_i64x2_shuffle(ab_low, cd_low, 1, 3));
    wasm_v128_store(out + 2 * kNineTaps, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
    wasm_v128_store(out + 3 * kNineTaps, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
  }

  size_t row_stride_;
  size_t channels_;
  size_t rows_;
  size_t columns_;
};

}  // namespace quintet::generic
