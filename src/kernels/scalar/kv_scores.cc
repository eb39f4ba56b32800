#include "kernels/scalar/kv_value.h"
#include "kernels/variants.h"

namespace quintet::scalar {

void kv_scores(const float* query, size_t query_stride, size_t rows, const KvRowLayout& layout, const std::byte* keys,
               size_t count, float alpha, float* scores, size_t scores_stride) {
  for (size_t r = 0; r < rows; ++r) {
    for (size_t i = 0; i < count; ++i) {
      float sum = 0;
      for (size_t d = 0; d < layout.head_dim; ++d) {
        sum += query[r * query_stride + d] * kv_value(layout, keys + i * layout.bytes, d);
      }
      scores[r * scores_stride + i] = alpha * sum;
    }
  }
}

}  // namespace quintet::scalar
