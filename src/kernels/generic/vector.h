#pragma once
// Vectors that reach beyond the end of a row.

#include <cstddef>

#include "kernels/wasm_simd.h"

namespace quintet::generic {

// The first `count` < 4 of four floats; the others are `fill`.
inline v128_t load_some(const float* p, size_t count, float fill) {
  alignas(16) float lanes[4] = {fill, fill, fill, fill};
  for (size_t i = 0; i < count; ++i) lanes[i] = p[i];
  return wasm_v128_load(lanes);
}

inline void store_some(float* p, size_t count, v128_t values) {
  alignas(16) float lanes[4];
  wasm_v128_store(lanes, values);
  for (size_t i = 0; i < count; ++i) p[i] = lanes[i];
}

inline float horizontal_sum(v128_t v) {
  const v128_t pairs = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  return wasm_f32x4_extract_lane(pairs, 0) + wasm_f32x4_extract_lane(pairs, 1);
}

}  // namespace quintet::generic
