// The rare cases of PairedDot: sums that may not fit 16 bits, and quads that belong to no block.

#include <bit>

#include "kernels/relaxed/interleaved_dot.h"

namespace quintet::relaxed {

void PairedDot::replace_block(const uint8_t* q, size_t rows, const int8_t* weights, const int8_t* centers,
                              v128_t& sum) {
  const v128_t half_centers = load_half_centers(centers);
  v128_t exact = wasm_i32x4_shl(widen(half_centers), 1), wrapped = wasm_i16x8_add(half_centers, half_centers);
  QUINTET_KEEP_LOOP
  for (size_t i = 0; i < SumCenters::kQuads; ++i) {
    const v128_t values = wasm_v128_load32_splat(q + i * rows * kQuadBytes);
    const v128_t products = multiply(wasm_v128_load(weights + i * kPanelQuadBytes), values);
    exact = wasm_i32x4_add(exact, widen(products));
    wrapped = wasm_i16x8_add(wrapped, products);
  }
  sum = wasm_i32x4_add(sum, wasm_i32x4_sub(exact, widen(wrapped)));
}

void PairedDot::replace_wide_block(const ActivationTile& activations, size_t rows, const PackedMatrix::Group& w,
                                   size_t block, v128_t (*sums)[2]) {
  const size_t quad = block * SumCenters::kQuads;
  for (size_t row = 0; row < rows; ++row) {
    const float squares = activations.squares[row * activations.squares_stride + block] * w.sums.squares[block];
    if (squares <= SumCenters::kMaxSquares) continue;
    for (size_t half = 0; half < 2; ++half) {
      replace_block(activations.q + (quad * rows + row) * kQuadBytes, rows,
                    w.quads + quad * kPanelQuadBytes + half * kHalfPanelQuadBytes,
                    w.sums.centers + (2 * block + half) * kPanelRows, sums[row][half]);
    }
  }
}

void PairedDot::correct(const ActivationTile& activations, size_t rows, const PackedMatrix::Group& w, size_t quads,
                        v128_t (*sums)[2]) {
  const size_t blocks = quads / SumCenters::kQuads;
  for (size_t block = 0; block < blocks; block += 4) {
    const v128_t squares =
        wasm_f32x4_mul(wasm_v128_load(activations.greatest_squares + block), wasm_v128_load(w.sums.squares + block));
    // Infinity times zero is not a number, which does not fit either.
    const uint32_t fitting = wasm_i32x4_bitmask(wasm_f32x4_le(squares, wasm_f32x4_splat(SumCenters::kMaxSquares)));
    const uint32_t existing = blocks - block < 4 ? (1u << (blocks - block)) - 1 : 15;
    for (uint32_t left = ~fitting & existing; left != 0; left &= left - 1) {
      replace_wide_block(activations, rows, w, block + static_cast<size_t>(std::countr_zero(left)), sums);
    }
  }
  for (size_t quad = blocks * SumCenters::kQuads; quad < quads; ++quad) {
    for (size_t i = 0; i < 2 * rows; ++i) {
      const v128_t weights = wasm_v128_load(w.quads + quad * kPanelQuadBytes + i % 2 * kHalfPanelQuadBytes);
      const v128_t values = wasm_v128_load32_splat(activations.q + (quad * rows + i / 2) * kQuadBytes);
      sums[i / 2][i % 2] = wasm_i32x4_add(sums[i / 2][i % 2], widen(multiply(weights, values)));
    }
  }
}

}  // namespace quintet::relaxed
