#include "kernels/generic/kv_scores.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {

void kv_scores(const float* query, size_t query_stride, size_t rows, const KvRowLayout& layout, const std::byte* keys,
               size_t count, float alpha, float* scores, size_t scores_stride) {
  generic::kv_scores<Arithmetic>({query, query_stride, layout, keys, count, alpha, scores, scores_stride}, rows);
}

}  // namespace quintet::simd128
