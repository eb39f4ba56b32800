#include <cmath>
#include <cstring>

#include "kernels/quantization.h"
#include "kernels/scalar/largest_magnitude.h"
#include "kernels/variants.h"

namespace quintet::scalar {
void quantize_rows(const float* x, size_t x_stride, size_t rows, size_t cols, size_t groups, uint8_t* q,
                   float* scales) {
  const size_t group = cols / groups;
  const size_t padded = (group + kQuad - 1) / kQuad * kQuad;
  for (size_t r = 0; r < rows; ++r) {
    const float* row = x + r * x_stride;
    const RowScale factors = row_scale(largest_magnitude(row, cols));
    scales[r] = factors.scale;
    for (size_t g = 0; g < groups; ++g, row += group, q += padded) {
      std::memset(q, kActivationZero, padded);
      if (factors.inverse == 0) continue;
      for (size_t i = 0; i < group; ++i) {
        // Rounds half to even.
        q[i] = static_cast<uint8_t>(kActivationZero + std::lrint(row[i] * factors.inverse));
      }
    }
  }
}

}  // namespace quintet::scalar
