#pragma once
// The two products of attention (Vaswani et al. 2017, arXiv:1706.03762) over a KV cache.

#include "kernels/rows.h"
#include "tensor/packed/kv_rows.h"

namespace quintet {

// Keys or values of one head at consecutive positions, as the cache stores them.
struct KvRows {
  const std::byte* row(size_t i) const { return data + i * layout.bytes; }

  const KvRowLayout& layout;
  const std::byte* data;
  size_t count;
};

struct ScoreOperands {
  ConstRows queries;  // [rows][head_dim]
  size_t rows;
  KvRows keys;
  float alpha;
  Rows scores;  // [rows][keys]
};

// scores[r][i] = alpha * (queries[r] . keys[i])
using QkScores = void(const ScoreOperands& operands);

struct ValueOperands {
  ConstRows weights;  // [rows][values]
  size_t rows;
  KvRows values;
  Rows out;  // [rows][head_dim]
};

// out[r] += sum over i, in order, of weights[r][i] * values[i]
using AttentionValue = void(const ValueOperands& operands);

}  // namespace quintet
