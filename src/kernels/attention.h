#pragma once
// The two products of attention (Vaswani et al. 2017, arXiv:1706.03762) over a KV cache.

#include "tensor/packed/kv_rows.h"

namespace quintet {

// scores[r][i] = alpha * (query[r] . key[i]) for `rows` queries [head_dim] and `count` keys.
using QkScores = void(const float* query, size_t query_stride, size_t rows, const KvRowLayout& layout,
                      const std::byte* keys, size_t count, float alpha, float* scores, size_t scores_stride);

// out[r] += sum over i, in order, of weights[r][i] * value[i], for `rows` rows of weights and `count` values
// [head_dim].
using AttentionValue = void(const float* weights, size_t weights_stride, size_t rows, const KvRowLayout& layout,
                            const std::byte* values, size_t count, float* out, size_t out_stride);

}  // namespace quintet
