#include <cstring>

#include "base/half.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

float half_at(const std::byte* row, size_t i) {
  uint16_t half;
  std::memcpy(&half, row + i * sizeof(half), sizeof(half));
  return f16_to_f32(half);
}

// Returns one value of a row of the KV cache, as decode_kv_row() does.
[[gnu::noinline]] float kv_value(const KvRowLayout& layout, const std::byte* row, size_t i) {
  switch (layout.type) {
    case KvType::f32: {
      float value;
      std::memcpy(&value, row + i * sizeof(value), sizeof(value));
      return value;
    }
    case KvType::f16:
      return half_at(row, i);
    case KvType::int8:
      return static_cast<float>(static_cast<int8_t>(row[i])) * half_at(row + layout.scales_offset(), i / layout.group);
    case KvType::int4: {
      const int both = static_cast<int8_t>(row[i / 2]);
      const int q = i % 2 == 0 ? static_cast<int8_t>(both << 4) >> 4 : both >> 4;
      return static_cast<float>(q) * half_at(row + layout.scales_offset(), i / layout.group);
    }
  }
  return 0;
}

}  // namespace

void qk_scores(const ScoreOperands& in) {
  const KvRows& keys = in.keys;
  for (size_t r = 0; r < in.rows; ++r) {
    for (size_t i = 0; i < keys.count; ++i) {
      float sum = 0;
      for (size_t d = 0; d < keys.layout.head_dim; ++d) {
        sum += in.queries.row(r)[d] * kv_value(keys.layout, keys.row(i), d);
      }
      in.scores.row(r)[i] = in.alpha * sum;
    }
  }
}

void attention_value(const ValueOperands& in) {
  const KvRows& values = in.values;
  for (size_t r = 0; r < in.rows; ++r) {
    for (size_t i = 0; i < values.count; ++i) {
      for (size_t d = 0; d < values.layout.head_dim; ++d) {
        in.out.row(r)[d] += in.weights.row(r)[i] * kv_value(values.layout, values.row(i), d);
      }
    }
  }
}

}  // namespace quintet::scalar
