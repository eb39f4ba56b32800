#pragma once
// Quantizes activations. Variants only differ in how they store the integers, and in what they store next to them.

#include "kernels/generic/tiles.h"
#include "kernels/generic/vector.h"
#include "kernels/quantize.h"

namespace quintet::generic {

// Computes quintet::max_abs: bit patterns are compared, where infinity and NaN are greater than every number.
inline float max_abs(const float* x, size_t count) {
  const v128_t magnitude = wasm_i32x4_splat(0x7fffffff);
  v128_t max = wasm_i32x4_splat(0);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    max = wasm_i32x4_max(max, wasm_v128_and(wasm_v128_load(x + i), magnitude));
  }
  if (i < count) max = wasm_i32x4_max(max, wasm_v128_and(load_some(x + i, count - i, 0), magnitude));
  max = wasm_i32x4_max(max, wasm_i32x4_shuffle(max, max, 2, 3, 0, 1));
  max = wasm_i32x4_max(max, wasm_i32x4_shuffle(max, max, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(max, 0);
}

// Four values as the low bytes of the lanes. Adding this constant leaves no bits for a fraction: the sum is rounded
// half to even, and its low byte is the integer plus kActivationZero.
inline v128_t quantize(v128_t x, v128_t inverse) {
  const v128_t sum = wasm_f32x4_add(wasm_f32x4_mul(x, inverse), wasm_f32x4_splat(12582912.0f + kActivationZero));
  return wasm_v128_and(sum, wasm_i32x4_splat(0xff));
}

// `row.put16(a, b, c, d)` and `row.put4(a)` store four quads and one.
template <class Row>
inline void quantize_group(const float* x, size_t count, float inverse, Row& row) {
  const v128_t inverses = wasm_f32x4_splat(inverse);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    row.put16(quantize(wasm_v128_load(x + i), inverses), quantize(wasm_v128_load(x + i + 4), inverses),
              quantize(wasm_v128_load(x + i + 8), inverses), quantize(wasm_v128_load(x + i + 12), inverses));
  }
  for (; i < count; i += kQuad) {
    const bool whole = i + kQuad <= count;
    const v128_t values = whole ? wasm_v128_load(x + i) : load_some(x + i, count - i, 0);
    row.put4(quantize(values, inverses));
  }
}

// Columns of the weights that share scales.
struct ColumnGroups {
  size_t count, columns;
  size_t quads() const { return (columns + kQuad - 1) / kQuad; }
};

template <class Row>
[[gnu::noinline]] float quantize_row(const float* x, ColumnGroups groups, Row row) {
  const RowScale factors = row_scale(max_abs(x, groups.count * groups.columns));
  for (size_t g = 0; g < groups.count; ++g) {
    if (factors.inverse == 0) {
      for (size_t i = 0; i < groups.quads(); ++i) row.put4(wasm_i32x4_splat(kActivationZero));
    } else {
      quantize_group(x + g * groups.columns, groups.columns, factors.inverse, row);
    }
    row.end_group();
  }
  return factors.scale;
}

// The place of a row.
struct TileRow {
  uint8_t* q;      // the first quad
  size_t stride;   // of its quads
  float* squares;  // [group][block], or null
};

// Stores the greatest of each block among the rows of a tile, [rows][2][blocks], next to the first row.
inline void find_greatest_squares(float* squares, size_t rows, size_t blocks) {
  for (size_t block = 0; block < blocks; ++block) {
    float greatest = 0;
    for (size_t r = 0; r < rows; ++r) greatest = std::max(greatest, squares[2 * r * blocks + block]);
    squares[blocks + block] = greatest;
  }
}

// Row::kTileRows is the greatest number of rows of a tile. `squares` [rows][2][groups][blocks] may be null.
template <class Row>
inline void quantize_rows(const QuantizeRowsOperands& in, float* squares) {
  const ColumnGroups columns = {in.groups, in.cols / in.groups};
  const size_t row_blocks = in.groups * (columns.quads() / SumCenters::kQuads);
  uint8_t* q = in.q;
  for (size_t row = 0, count; row < in.rows; row += count) {
    count = next_rows(in.rows - row, Row::kTileRows);
    for (size_t r = 0; r < count; ++r) {
      const TileRow to = {
          .q = q + r * Row::kQuadBytes,
          .stride = count * Row::kQuadBytes,
          .squares = squares == nullptr ? nullptr : squares + 2 * (row + r) * row_blocks,
      };
      in.scales[row + r] = quantize_row(in.x.row(row + r), columns, Row(to));
    }
    if (squares != nullptr) find_greatest_squares(squares + 2 * row * row_blocks, count, row_blocks);
    q += count * in.groups * columns.quads() * Row::kQuadBytes;
  }
}

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
inline void quantize_blocks(const QuantizeBlocksOperands& in) {
  const BlockGroups groups = in.groups;
  for (size_t r = in.begin; r < in.end; ++r) {
    const BlockRow<BlockActivation<typename Format::Integer>, Format::kBand> out(in.q, r, in.cols / groups.block);
    const float* const row = in.x.row(r);
    RowScale factors = {};
    for (size_t b = 0, column = 0; column < in.cols; ++b, column += groups.block) {
      if (column % groups.group == 0) {
        factors = row_scale(max_abs(row + column, groups.group), kBlockActivationSteps);
      }
      quantize_block<Format>(row + column, groups.block, factors, out[b]);
      if (b % 2 != 0) out[b - 1].pair_sums[1] = out[b].pair_sums[0];
    }
  }
}

}  // namespace quintet::generic
