#include "tensor/kv_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "base/half.h"
#include "tensor/symmetric.h"

namespace quintet {
namespace {

// Far above any model's; below it no product of a layout can overflow.
constexpr size_t kMostHeadDim = 1 << 16;

size_t group_of(size_t head_dim) {
  for (size_t group = 32; group >= 8; group /= 2) {
    if (head_dim % group == 0) return group;
  }
  return head_dim;
}

size_t bytes_of(const KvRowLayout& layout) {
  switch (layout.type) {
    case KvType::f32:
      return layout.head_dim * sizeof(float);
    case KvType::f16:
      return layout.head_dim * sizeof(uint16_t);
    default:
      return layout.scales_offset() + layout.groups() * sizeof(uint16_t);
  }
}

// A row of halves, or of scales, begins at any byte.
void store_half(std::byte* row, size_t i, uint16_t half) { std::memcpy(row + i * sizeof(half), &half, sizeof(half)); }

float load_half(const std::byte* row, size_t i) {
  uint16_t half;
  std::memcpy(&half, row + i * sizeof(half), sizeof(half));
  return f16_to_f32(half);
}

// Compared as bit patterns, in which infinity and NaN are greater than every number.
float greatest_magnitude(std::span<const float> values) {
  uint32_t greatest = 0;
  for (const float value : values) greatest = std::max(greatest, std::bit_cast<uint32_t>(value) & 0x7fffffffu);
  return std::bit_cast<float>(greatest);
}

// The scale in FP16. A group of zeros gets 1e-7 (RULINGS "Safetensors" 3), and so does one whose own scale would round
// to zero. One that is not finite, or too large for a scale in FP16, becomes NaN as a whole.
uint16_t group_scale(std::span<const float> values, float limit) {
  constexpr uint16_t kInfinity = 0x7C00;
  constexpr uint16_t kNan = 0x7E00;
  const uint16_t scale = f32_to_f16(greatest_magnitude(values) / limit);
  if (scale == 0) return f32_to_f16(1e-7F);
  return scale < kInfinity ? scale : kNan;
}

struct Steps {
  float limit;  // of the scale
  float lowest, greatest;
};
constexpr Steps kInt8Steps = {127, -127, 127};
constexpr Steps kInt4Steps = {7, -8, 7};

// Calls put(i, q) for each value; half to even.
template <class Put>
void quantize_groups(const KvRowLayout& layout, const Steps& steps, const float* values, std::byte* row, Put put) {
  for (size_t g = 0; g < layout.groups(); ++g) {
    const std::span<const float> group(values + g * layout.group, layout.group);
    const uint16_t stored = group_scale(group, steps.limit);
    store_half(row + layout.scales_offset(), g, stored);
    const float scale = f16_to_f32(stored);
    for (size_t i = 0; i < group.size(); ++i) {
      const float q = std::isnan(scale) ? 0 : round_half_even(group[i] / scale);
      put(g * layout.group + i, static_cast<int>(std::clamp(q, steps.lowest, steps.greatest)));
    }
  }
}

// `get(i)` is q.
template <class Get>
void dequantize_groups(const KvRowLayout& layout, const std::byte* row, float* values, Get get) {
  for (size_t g = 0; g < layout.groups(); ++g) {
    const float scale = load_half(row + layout.scales_offset(), g);
    for (size_t i = g * layout.group; i < (g + 1) * layout.group; ++i) values[i] = static_cast<float>(get(i)) * scale;
  }
}

int nibble(const std::byte* row, size_t i) {
  const int both = std::to_integer<int>(row[i / 2]);
  return ((i % 2 == 0 ? both : both >> 4) & 15) ^ 8;
}

}  // namespace

Result<KvRowLayout> kv_row_layout(KvType type, size_t head_dim) {
  if (head_dim == 0 || head_dim > kMostHeadDim) {
    return unsupported_error("a KV cache of heads with " + std::to_string(head_dim) + " values");
  }
  if (type == KvType::int4 && head_dim % 2 != 0) {
    return unsupported_error("an int4 KV cache of heads with " + std::to_string(head_dim) +
                             " values, which is an odd number");
  }
  KvRowLayout layout = {.type = type, .head_dim = head_dim};
  if (type == KvType::int8 || type == KvType::int4) layout.group = group_of(head_dim);
  layout.bytes = (bytes_of(layout) + 3) / 4 * 4;
  return layout;
}

bool kv_row_holds(const KvRowLayout& layout, const float* values) {
  constexpr float kFirstInfinite = 65520;  // rounds to infinity
  return layout.type != KvType::f16 || greatest_magnitude({values, layout.head_dim}) < kFirstInfinite;
}

void encode_kv_row(const KvRowLayout& layout, const float* values, std::byte* row) {
  std::memset(row, 0, layout.bytes);
  switch (layout.type) {
    case KvType::f32:
      std::memcpy(row, values, layout.head_dim * sizeof(float));
      return;
    case KvType::f16:
      for (size_t i = 0; i < layout.head_dim; ++i) store_half(row, i, f32_to_f16(values[i]));
      return;
    case KvType::int8:
      return quantize_groups(layout, kInt8Steps, values, row, [row](size_t i, int q) { row[i] = std::byte(q); });
    case KvType::int4:
      return quantize_groups(layout, kInt4Steps, values, row, [row](size_t i, int q) {
        row[i / 2] |= static_cast<std::byte>((q & 15) << (i % 2 * 4));
      });
  }
}

void decode_kv_row(const KvRowLayout& layout, const std::byte* row, float* values) {
  switch (layout.type) {
    case KvType::f32:
      std::memcpy(values, row, layout.head_dim * sizeof(float));
      return;
    case KvType::f16:
      for (size_t i = 0; i < layout.head_dim; ++i) values[i] = load_half(row, i);
      return;
    case KvType::int8:
      return dequantize_groups(layout, row, values, [row](size_t i) { return static_cast<int8_t>(row[i]); });
    case KvType::int4:
      return dequantize_groups(layout, row, values, [row](size_t i) { return nibble(row, i) - 8; });
  }
}

}  // namespace quintet
