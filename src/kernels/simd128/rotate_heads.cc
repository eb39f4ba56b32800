#include "kernels/variants.h"
#include "kernels/wasm_simd.h"

namespace quintet::simd128 {

void rotate_heads(float* x, size_t heads, size_t head_dim, size_t rope_dim, const float* cosines, const float* sines) {
  const size_t half = rope_dim / 2;
  for (size_t h = 0; h < heads; ++h, x += head_dim) {
    size_t i = 0;
    for (; i + 4 <= half; i += 4) {
      const v128_t a = wasm_v128_load(x + i);
      const v128_t b = wasm_v128_load(x + i + half);
      const v128_t cosine = wasm_v128_load(cosines + i);
      const v128_t sine = wasm_v128_load(sines + i);
      wasm_v128_store(x + i, wasm_f32x4_sub(wasm_f32x4_mul(a, cosine), wasm_f32x4_mul(b, sine)));
      wasm_v128_store(x + i + half, wasm_f32x4_add(wasm_f32x4_mul(b, cosine), wasm_f32x4_mul(a, sine)));
    }
    for (; i < half; ++i) {
      const float a = x[i];
      const float b = x[i + half];
      x[i] = a * cosines[i] - b * sines[i];
      x[i + half] = b * cosines[i] + a * sines[i];
    }
  }
}

}  // namespace quintet::simd128
