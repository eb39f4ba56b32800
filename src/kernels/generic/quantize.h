#pragma once
// Quantizes activations. Variants only differ in how they store the integers.

#include "kernels/generic/tiles.h"
#include "kernels/generic/vector.h"
#include "kernels/quantize.h"

namespace quintet::generic {

// Compared as bit patterns, where infinity and NaN are greater than every number.
inline float largest_magnitude(const float* x, size_t count) {
  const v128_t magnitude = wasm_i32x4_splat(0x7fffffff);
  v128_t largest = wasm_i32x4_splat(0);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    largest = wasm_i32x4_max(largest, wasm_v128_and(wasm_v128_load(x + i), magnitude));
  }
  if (i < count) largest = wasm_i32x4_max(largest, wasm_v128_and(load_some(x + i, count - i, 0), magnitude));
  largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
  largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(largest, 0);
}

// Four values as the low bytes of the lanes. Adding this constant leaves no bits for a fraction: the sum is rounded
// half to even, and its low byte is the integer plus kActivationZero.
inline v128_t quantize(v128_t x, v128_t inverse) {
  const v128_t sum = wasm_f32x4_add(wasm_f32x4_mul(x, inverse), wasm_f32x4_splat(12582912.0f + kActivationZero));
  return wasm_v128_and(sum, wasm_i32x4_splat(0xff));
}

// `Format::put16(out, stride, a, b, c, d)` and `put4(out, a)` store four quads and one.
template <class Format>
inline void quantize_group(const float* x, size_t count, float inverse, uint8_t* q, size_t stride) {
  const v128_t inverses = wasm_f32x4_splat(inverse);
  size_t i = 0;
  for (; i + 16 <= count; i += 16, q += 4 * stride) {
    Format::put16(q, stride, quantize(wasm_v128_load(x + i), inverses), quantize(wasm_v128_load(x + i + 4), inverses),
                  quantize(wasm_v128_load(x + i + 8), inverses), quantize(wasm_v128_load(x + i + 12), inverses));
  }
  for (; i < count; i += kQuad, q += stride) {
    const bool whole = i + kQuad <= count;
    const v128_t values = whole ? wasm_v128_load(x + i) : load_some(x + i, count - i, 0);
    Format::put4(q, quantize(values, inverses));
  }
}

// Columns of the weights that share scales.
struct ColumnGroups {
  size_t count, columns;
  size_t quads() const { return (columns + kQuad - 1) / kQuad; }
};

// `stride` is the distance of the row's quads.
template <class Format>
[[gnu::noinline]] float quantize_row(const float* x, ColumnGroups groups, uint8_t* q, size_t stride) {
  const RowScale factors = row_scale(largest_magnitude(x, groups.count * groups.columns));
  if (factors.inverse == 0) {
    const v128_t zero = wasm_i32x4_splat(kActivationZero);
    for (size_t i = 0; i < groups.count * groups.quads(); ++i) Format::put4(q + i * stride, zero);
  } else {
    for (size_t g = 0; g < groups.count; ++g) {
      quantize_group<Format>(x + g * groups.columns, groups.columns, factors.inverse, q, stride);
      q += groups.quads() * stride;
    }
  }
  return factors.scale;
}

// Format::kTileRows is the greatest number of rows of a tile.
template <class Format>
inline void quantize_rows(const float* x, size_t x_stride, size_t rows, size_t cols, size_t groups, uint8_t* q,
                          float* scales) {
  const ColumnGroups columns = {groups, cols / groups};
  for (size_t row = 0, count; row < rows; row += count) {
    count = next_rows(rows - row, Format::kTileRows);
    for (size_t r = 0; r < count; ++r) {
      uint8_t* const first = q + r * Format::kQuadBytes;
      scales[row + r] = quantize_row<Format>(x + (row + r) * x_stride, columns, first, count * Format::kQuadBytes);
    }
    q += count * groups * columns.quads() * Format::kQuadBytes;
  }
}

// In blocks.

// Four values as 32-bit integers, rounded half to even by adding a constant that leaves no bits for a fraction.
inline v128_t quantize_signed(v128_t x, v128_t inverse) {
  constexpr float kNoFraction = 12582912.0f;
  const v128_t sum = wasm_f32x4_add(wasm_f32x4_mul(x, inverse), wasm_f32x4_splat(kNoFraction));
  return wasm_i32x4_sub(sum, wasm_f32x4_splat(kNoFraction));
}

// `Format::put(out, quad)` stores four 32-bit integers.
template <class Format>
[[gnu::noinline]] void quantize_block(const float* x, size_t count, const RowScale& factors,
                                      BlockActivation<typename Format::Integer>& block) {
  const v128_t inverse = wasm_f32x4_splat(factors.inverse);
  v128_t sums = wasm_i32x4_splat(0);
  for (size_t i = 0; i < count; i += kQuad) {
    v128_t quad = wasm_i32x4_splat(0);
    if (factors.inverse != 0) {
      const v128_t values = i + kQuad <= count ? wasm_v128_load(x + i) : load_some(x + i, count - i, 0);
      quad = quantize_signed(values, inverse);
    }
    Format::put(block.q + i, quad);
    sums = wasm_i32x4_add(sums, quad);
  }
  const int32_t first = wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1);
  const int32_t second = wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3);
  block.scale = factors.scale;
  block.pair_sums[0] = static_cast<int16_t>(first + second);
  block.pair_sums[1] = 0;
  block.negative_pairs[0] = static_cast<int16_t>(-8 * first);
  block.negative_pairs[1] = static_cast<int16_t>(-8 * second);
  block.negative_sum = -first - second;
}

template <class Format>
inline void quantize_blocks(const float* x, size_t x_stride, size_t begin, size_t end, size_t cols, BlockGroups groups,
                            std::byte* q) {
  for (size_t r = begin; r < end; ++r) {
    const BlockRow<BlockActivation<typename Format::Integer>, Format::kBand> out(q, r, cols / groups.block);
    const float* const row = x + r * x_stride;
    RowScale factors = {};
    for (size_t b = 0, column = 0; column < cols; ++b, column += groups.block) {
      if (column % groups.group == 0) {
        factors = row_scale(largest_magnitude(row + column, groups.group), kBlockActivationSteps);
      }
      quantize_block<Format>(row + column, groups.block, factors, out[b]);
      if (b % 2 != 0) out[b - 1].pair_sums[1] = out[b].pair_sums[0];
    }
  }
}

}  // namespace quintet::generic
