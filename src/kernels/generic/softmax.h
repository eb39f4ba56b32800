#pragma once
// Softmax of one row, in three passes over it.

#include <limits>

#include "kernels/generic/exp.h"
#include "kernels/generic/vector.h"
#include "kernels/softmax.h"

namespace quintet::generic {

inline float row_max(const float* x, size_t cols) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  v128_t max = wasm_f32x4_splat(kLowest);
  size_t i = 0;
  for (; i + 4 <= cols; i += 4) max = wasm_f32x4_pmax(max, wasm_v128_load(x + i));
  if (i < cols) max = wasm_f32x4_pmax(max, load_some(x + i, cols - i, kLowest));
  max = wasm_f32x4_pmax(max, wasm_i32x4_shuffle(max, max, 2, 3, 0, 1));
  max = wasm_f32x4_pmax(max, wasm_i32x4_shuffle(max, max, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(max, 0);
}

// x = exp(x - shift); returns the sum.
template <class Arithmetic>
inline float exp_row(float* x, size_t cols, float shift) {
  const ExpConstants& constants = loaded(kExpConstants);
  const v128_t shifts = wasm_f32x4_splat(shift);
  v128_t sum = wasm_f32x4_splat(0);
  size_t i = 0;
  // Two vectors at a time share the loads of the constants.
  for (; i + 8 <= cols; i += 8) {
    const v128_t low = exp<Arithmetic>(wasm_f32x4_sub(wasm_v128_load(x + i), shifts), constants);
    const v128_t high = exp<Arithmetic>(wasm_f32x4_sub(wasm_v128_load(x + i + 4), shifts), constants);
    wasm_v128_store(x + i, low);
    wasm_v128_store(x + i + 4, high);
    sum = wasm_f32x4_add(sum, wasm_f32x4_add(low, high));
  }
  for (; i < cols; i += 4) {
    constexpr float kNothing = -std::numeric_limits<float>::infinity();  // its exponential is 0
    const size_t left = cols - i;
    const v128_t values = left >= 4 ? wasm_v128_load(x + i) : load_some(x + i, left, kNothing);
    const v128_t e = exp<Arithmetic>(wasm_f32x4_sub(values, shifts), constants);
    left >= 4 ? wasm_v128_store(x + i, e) : store_some(x + i, left, e);
    sum = wasm_f32x4_add(sum, e);
  }
  return horizontal_sum(sum);
}

inline void scale_row(float* x, size_t cols, float factor) {
  const v128_t factors = wasm_f32x4_splat(factor);
  size_t i = 0;
  for (; i + 4 <= cols; i += 4) wasm_v128_store(x + i, wasm_f32x4_mul(wasm_v128_load(x + i), factors));
  for (; i < cols; ++i) x[i] *= factor;
}

template <class Arithmetic>
[[gnu::noinline]] void softmax_row(float* x, size_t cols) {
  const float sum = exp_row<Arithmetic>(x, cols, row_max(x, cols));
  scale_row(x, cols, 1 / sum);
}

template <class Arithmetic>
inline void softmax_rows(const SoftmaxOperands& in) {
  for (size_t r = 0; r < in.rows; ++r) softmax_row<Arithmetic>(in.x.row(r), in.cols);
}

}  // namespace quintet::generic
