#include "kernels/generic/softmax.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {

void softmax_rows(float* x, size_t x_stride, size_t rows, size_t cols) {
  for (size_t r = 0; r < rows; ++r) generic::softmax_row<Arithmetic>(x + r * x_stride, cols);
}

}  // namespace quintet::simd128
