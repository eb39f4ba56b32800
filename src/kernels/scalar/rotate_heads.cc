#include "kernels/variants.h"

namespace quintet::scalar {

void rotate_heads(float* x, size_t heads, size_t head_dim, size_t rope_dim, const float* cosines, const float* sines) {
  const size_t half = rope_dim / 2;
  for (size_t h = 0; h < heads; ++h, x += head_dim) {
    for (size_t i = 0; i < half; ++i) {
      const float a = x[i];
      const float b = x[i + half];
      x[i] = a * cosines[i] - b * sines[i];
      x[i + half] = b * cosines[i] + a * sines[i];
    }
  }
}

}  // namespace quintet::scalar
