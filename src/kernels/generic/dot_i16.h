#pragma once
// Dot products of rows of 16-bit activations with a panel of paired weights, for direct convolutions and Winograd's
// algorithm.

#include <cstddef>
#include <cstdint>

#include "kernels/generic/loops.h"
#include "kernels/wasm_simd.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::generic {

// The values of a pair for all outputs of a panel.
constexpr size_t kPanelPair = 2 * kPanelRows;

// Zero points of four outputs, each repeated for all values of its output in a row of a panel.
inline v128_t paired_zeros(const int16_t* zero_points) {
  const v128_t four = wasm_v128_load64_zero(zero_points);
  return wasm_i16x8_shuffle(four, four, 0, 0, 1, 1, 2, 2, 3, 3);
}

// Rows of a tile: eight sums, two vectors of weights, one of activations and one product. With more, engines spill
// registers. With more pairs per iteration, LLVM adds products to each other first, for which there are not enough
// registers.
constexpr size_t kDotRows = 4;

template <size_t kRows>
using DotSums = v128_t[kRows][2];

template <size_t kRows>
[[gnu::always_inline]] inline void clear(DotSums<kRows>& sums) {
  for (auto& of_row : sums) of_row[0] = of_row[1] = wasm_i32x4_splat(0);
}

// sums += products of `pairs` pairs; x and w move past them.
template <size_t kRows>
[[gnu::always_inline]] inline void add_dots(const int16_t* (&x)[kRows], const int16_t*& w, size_t pairs,
                                            DotSums<kRows>& sums) {
  QUINTET_KEEP_LOOP
  for (; pairs != 0; --pairs, w += kPanelPair) {
    const v128_t weights[2] = {wasm_v128_load(w), wasm_v128_load(w + kPanelPair / 2)};
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t pair = wasm_v128_load32_splat(x[r]);
      for (size_t h = 0; h < 2; ++h) sums[r][h] = wasm_i32x4_add(sums[r][h], wasm_i32x4_dot_i16x8(weights[h], pair));
      x[r] += 2;
    }
  }
}

template <size_t kRows>
[[gnu::always_inline]] inline void store_sums(const DotSums<kRows>& sums, int32_t (*to)[kPanelRows]) {
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t h = 0; h < 2; ++h) wasm_v128_store(to[r] + 4 * h, sums[r][h]);
  }
}

}  // namespace quintet::generic
