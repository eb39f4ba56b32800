#pragma once
// One value of a row of the KV cache, as decode_kv_row() has it.

#include <cstring>

#include "base/half.h"
#include "tensor/packed/kv_rows.h"

namespace quintet::scalar {

inline float half_at(const std::byte* row, size_t i) {
  uint16_t half;
  std::memcpy(&half, row + i * sizeof(half), sizeof(half));
  return f16_to_f32(half);
}

inline float kv_value(const KvRowLayout& layout, const std::byte* row, size_t i) {
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

}  // namespace quintet::scalar
