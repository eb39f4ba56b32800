#include <bit>
#include <cstring>

#include "kernels/generic/vector.h"
#include "kernels/quantization.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// Compared as bit patterns, in which infinity and NaN are greater than every number.
float largest_magnitude(const float* x, size_t count) {
  const v128_t magnitude = wasm_i32x4_splat(0x7fffffff);
  v128_t largest = wasm_i32x4_splat(0);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    largest = wasm_i32x4_max(largest, wasm_v128_and(wasm_v128_load(x + i), magnitude));
  }
  if (i < count) largest = wasm_i32x4_max(largest, wasm_v128_and(generic::load_some(x + i, count - i, 0), magnitude));
  largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
  largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(largest, 0);
}

// Four values as the low bytes of the lanes. The sum has no bits for a fraction: it is rounded half to even, and
// its low byte is the integer with kActivationZero added.
v128_t quantize(v128_t x, v128_t inverse) {
  const v128_t sum = wasm_f32x4_add(wasm_f32x4_mul(x, inverse), wasm_f32x4_splat(12582912.0f + kActivationZero));
  return wasm_v128_and(sum, wasm_i32x4_splat(0xff));
}

void quantize_group(const float* x, size_t count, float inverse, uint8_t* q) {
  const v128_t inverses = wasm_f32x4_splat(inverse);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const v128_t a = quantize(wasm_v128_load(x + i), inverses);
    const v128_t b = quantize(wasm_v128_load(x + i + 4), inverses);
    const v128_t c = quantize(wasm_v128_load(x + i + 8), inverses);
    const v128_t d = quantize(wasm_v128_load(x + i + 12), inverses);
    wasm_v128_store(q + i, wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(a, b), wasm_i16x8_narrow_i32x4(c, d)));
  }
  for (; i < count; i += kQuad) {
    const bool whole = i + kQuad <= count;
    const v128_t a = quantize(whole ? wasm_v128_load(x + i) : generic::load_some(x + i, count - i, 0), inverses);
    const v128_t words = wasm_i16x8_narrow_i32x4(a, a);
    wasm_v128_store32_lane(q + i, wasm_u8x16_narrow_i16x8(words, words), 0);
  }
}

[[gnu::noinline]] float quantize_row(const float* x, size_t groups, size_t group, size_t padded, uint8_t* q) {
  const RowScale factors = row_scale(largest_magnitude(x, groups * group));
  if (factors.inverse == 0) {
    std::memset(q, kActivationZero, groups * padded);
  } else {
    for (size_t g = 0; g < groups; ++g) quantize_group(x + g * group, group, factors.inverse, q + g * padded);
  }
  return factors.scale;
}

}  // namespace

void quantize_rows(const float* x, size_t x_stride, size_t rows, size_t cols, size_t groups, uint8_t* q,
                   float* scales) {
  const size_t group = cols / groups;
  const size_t padded = (group + kQuad - 1) / kQuad * kQuad;
  for (size_t r = 0; r < rows; ++r) {
    scales[r] = quantize_row(x + r * x_stride, groups, group, padded, q + r * groups * padded);
  }
}

}  // namespace quintet::simd128
