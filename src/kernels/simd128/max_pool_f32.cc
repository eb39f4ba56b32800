#include "kernels/variants.h"

namespace quintet::simd128 {

void max_pool_f32(const float* input, size_t row_stride, float* output, const OutputGrid& grid) {
  scalar::max_pool_f32(input, row_stride, output, grid);
}

}  // namespace quintet::simd128
