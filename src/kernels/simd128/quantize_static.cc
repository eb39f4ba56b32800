#include "kernels/variants.h"

namespace quintet::simd128 {

void quantize_static(const float* x, size_t count, float scale, int32_t zero_point, int16_t* y) {
  scalar::quantize_static(x, count, scale, zero_point, y);
}

}  // namespace quintet::simd128
