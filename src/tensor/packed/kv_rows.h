#pragma once
// Storage of a head's vector [head_dim] in the KV cache: as floats, or quantized in groups along head_dim, each with an
// FP16 scale. Rows of one head are consecutive, with distance `bytes`.
//
//   f32, f16   the values
//   int8       [head_dim] q, then [groups] scales; scale = max|x| / 127, q in [-127, 127]
//   int4       [head_dim / 2] two q per byte, element 2i in the low half, then [groups] scales;
//              scale = max|x| / 7, q = clamp(round(x / scale), -8, 7) (docs/kv-cache.md)

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

namespace quintet {

enum class KvType : uint8_t { f32, f16, int8, int4 };

// The types of keys and values; one type stands for both.
struct KvTypes {
  // NOLINTNEXTLINE(google-explicit-constructor)
  KvTypes(KvType both = KvType::f32) : keys(both), values(both) {}
  KvTypes(KvType of_keys, KvType of_values) : keys(of_keys), values(of_values) {}

  KvType keys, values;
};

struct KvRowLayout {
  KvType type = KvType::f16;
  size_t head_dim = 0;
  size_t group = 0;  // values that share a scale; 0 for f32 and f16
  size_t bytes = 0;  // of a row, including scales; a multiple of 4

  size_t groups() const { return group == 0 ? 0 : head_dim / group; }
  // The place where the scales begin in a row of int8 or int4.
  size_t scales_offset() const { return type == KvType::int4 ? head_dim / 2 : head_dim; }
};

// Groups of 32 if that divides head_dim; otherwise of the largest power of two from 8 to 16 that does; otherwise the
// whole head_dim. UNSUPPORTED for int4 with an odd head_dim.
Result<KvRowLayout> kv_row_layout(KvType type, size_t head_dim);
// int4 in groups of a given size, which must divide head_dim.
KvRowLayout int4_row_layout(size_t head_dim, size_t group);

// Whether the type can represent the values: f16 only if all are finite in it. The other types keep NaN.
bool kv_row_holds(const KvRowLayout& layout, const float* values);

// The definition of each type.
void encode_kv_row(const KvRowLayout& layout, const float* values, std::byte* row);
void decode_kv_row(const KvRowLayout& layout, const std::byte* row, float* values);

// Whether every scale of an encoded row is a number: FP16 has none for a group of very large values.
bool kv_row_has_scales(const KvRowLayout& layout, const std::byte* row);

}  // namespace quintet
