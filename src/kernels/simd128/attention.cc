#include "kernels/generic/attention_value.h"
#include "kernels/generic/qk_scores.h"
#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {

void qk_scores(const float* query, size_t query_stride, size_t rows, const KvRowLayout& layout, const std::byte* keys,
               size_t count, float alpha, float* scores, size_t scores_stride) {
  generic::qk_scores<Arithmetic>({query, query_stride, layout, keys, count, alpha, scores, scores_stride}, rows);
}

void attention_value(const float* weights, size_t weights_stride, size_t rows, const KvRowLayout& layout,
                     const std::byte* values, size_t count, float* out, size_t out_stride) {
  generic::attention_value<Arithmetic>({weights, weights_stride, layout, values, out, out_stride}, rows, count);
}

}  // namespace quintet::simd128
