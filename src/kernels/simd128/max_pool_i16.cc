#include "kernels/variants.h"

namespace quintet::simd128 {

void max_pool_i16(const int16_t* input, size_t row_stride, int16_t* output, const OutputGrid& grid) {
  scalar::max_pool_i16(input, row_stride, output, grid);
}

}  // namespace quintet::simd128
