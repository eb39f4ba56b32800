#include "kernels/scalar/kv_value.h"
#include "kernels/variants.h"

namespace quintet::scalar {

void kv_mix(const float* weights, size_t weights_stride, size_t rows, const KvRowLayout& layout,
            const std::byte* values, size_t count, float* out, size_t out_stride) {
  for (size_t r = 0; r < rows; ++r) {
    for (size_t i = 0; i < count; ++i) {
      for (size_t d = 0; d < layout.head_dim; ++d) {
        out[r * out_stride + d] += weights[r * weights_stride + i] * kv_value(layout, values + i * layout.bytes, d);
      }
    }
  }
}

}  // namespace quintet::scalar
