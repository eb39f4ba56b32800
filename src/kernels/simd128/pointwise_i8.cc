#include "kernels/generic/pointwise_i8.h"

#include <algorithm>

#include "kernels/generic/loops.h"
#include "kernels/quantize.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

using generic::kPixelQuadBytes;

// Four values as integers in [0, 127].
struct PixelQuantizer {
  // Adding this even number, 1.5 * 2^23, leaves no bits for a fraction: the sum is rounded half to even, and its bits
  // are those of the number plus the rounded value.
  static constexpr float kRounding = 12582912.0f;

  PixelQuantizer(const PixelRange& range, float steps_per_unit)
      : min(wasm_f32x4_splat(range.min)),
        inverse(wasm_f32x4_splat(steps_per_unit)),
        zero_point(wasm_i32x4_splat(range.zero_point)) {}

  v128_t operator()(v128_t x) const {
    const v128_t steps = wasm_f32x4_mul(wasm_f32x4_sub(x, min), inverse);
    const v128_t bits = wasm_f32x4_add(steps, wasm_f32x4_splat(kRounding));
    return wasm_i32x4_add(wasm_i32x4_sub(bits, wasm_f32x4_splat(kRounding)), zero_point);
  }

  v128_t min, inverse, zero_point;
};

// The greatest |x - min|: of bit patterns, where infinity and NaN are greater than every number.
float largest_distance(const float* x, size_t count, float min) {
  const v128_t magnitude = wasm_i32x4_splat(0x7fffffff), from = wasm_f32x4_splat(min);
  v128_t max = wasm_i32x4_splat(0);
  for (size_t i = 0; i < count; i += 4) {
    max = wasm_i32x4_max(max, wasm_v128_and(wasm_f32x4_sub(wasm_v128_load(x + i), from), magnitude));
  }
  max = wasm_i32x4_max(max, wasm_i32x4_shuffle(max, max, 2, 3, 0, 1));
  max = wasm_i32x4_max(max, wasm_i32x4_shuffle(max, max, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(max, 0);
}

[[gnu::noinline]] float quantize_pixel(const float* x, size_t channels, const PixelRange& range, uint8_t* q) {
  const RowScale factors = row_scale(largest_distance(x, channels, range.min), range.steps());
  const PixelQuantizer quantize(range, factors.inverse);
  // Any bytes will do for a pixel that is not finite: its scale makes NaN of them.
  const auto pair = [&](const float* from) {
    return wasm_i16x8_narrow_i32x4(quantize(wasm_v128_load(from)), quantize(wasm_v128_load(from + kQuad)));
  };
  size_t c = 0;
  for (; c + 16 <= channels; c += 16, q += 4 * kPixelQuadBytes) {
    const v128_t quads = wasm_u8x16_narrow_i16x8(pair(x + c), pair(x + c + 8));
    wasm_v128_store32_lane(q, quads, 0);
    wasm_v128_store32_lane(q + kPixelQuadBytes, quads, 1);
    wasm_v128_store32_lane(q + 2 * kPixelQuadBytes, quads, 2);
    wasm_v128_store32_lane(q + 3 * kPixelQuadBytes, quads, 3);
  }
  for (; c < channels; c += kQuad, q += kPixelQuadBytes) {
    const v128_t words = wasm_i16x8_narrow_i32x4(quantize(wasm_v128_load(x + c)), wasm_i32x4_splat(0));
    wasm_v128_store32_lane(q, wasm_u8x16_narrow_i16x8(words, words), 0);
  }
  return factors.scale;
}

// Widens both sides to 16 bits, because one instruction multiplies and adds pairs of 16-bit values.
void multiply_words(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point,
                    int32_t (*to)[kPanelRows]) {
  const int8_t* const weight_sums = panel + quads * kPanelQuadBytes;
  QUINTET_KEEP_LOOP
  for (size_t half = 0; half < 2; ++half) {
    v128_t sums[kInterleavedWindows];
    generic::repeat<kInterleavedWindows>([&](size_t r) { sums[r] = wasm_i32x4_splat(0); });
    const uint8_t* x = q;
    for (const int8_t* w = panel + 16 * half; w < weight_sums; w += kPanelQuadBytes, x += kPixelQuadBytes) {
      const v128_t weights = wasm_v128_load(w);
      const v128_t even = wasm_i16x8_shr(wasm_i16x8_shl(weights, 8), 8), odd = wasm_i16x8_shr(weights, 8);
      generic::repeat<kInterleavedWindows>([&](size_t r) __attribute__((always_inline)) {
        const v128_t pixel = wasm_v128_load32_splat(x + r * kQuad);
        const v128_t first = wasm_v128_and(pixel, wasm_i16x8_splat(0xff)), second = wasm_u16x8_shr(pixel, 8);
        sums[r] = wasm_i32x4_add(sums[r], wasm_i32x4_dot_i16x8(even, first));
        sums[r] = wasm_i32x4_add(sums[r], wasm_i32x4_dot_i16x8(odd, second));
      });
    }
    generic::store_less_zero(sums, weight_sums + 16 * half, zero_point, to, 4 * half);
  }
}

}  // namespace

void quantize_pixels(const QuantizePixelsOperands& in) {
  const Im2colView& view = in.view;
  uint8_t* q = in.q;
  float* scales = in.scales;
  for (size_t first = in.begin; first < in.end; first += kInterleavedWindows) {
    QUINTET_KEEP_LOOP
    for (size_t r = 0; r < kInterleavedWindows; ++r) {
      const float* const pixel = in.input + view.offset(std::min(first + r, in.end - 1));
      *scales++ = quantize_pixel(pixel, view.run, in.range, q + r * kQuad);
    }
    q += view.run * kInterleavedWindows;
  }
}

void pointwise_i8(const PointwiseI8Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile) {
  generic::pointwise_i8(multiply_words, operands, epilogue, tile);
}

}  // namespace quintet::simd128
