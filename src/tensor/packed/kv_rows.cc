#include "tensor/packed/kv_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "base/half.h"
#include "tensor/dtype.h"
#include "tensor/finite.h"
#include "tensor/quantize.h"

namespace quintet {
namespace {

// Far larger than in any model; below it no product of a layout can overflow.
constexpr size_t kMaxHeadDim = 1 << 16;

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

// Scales may start at any byte.
void store_half(std::byte* row, size_t i, uint16_t half) { std::memcpy(row + i * sizeof(half), &half, sizeof(half)); }

float load_half(const std::byte* row, size_t i) {
  uint16_t half;
  std::memcpy(&half, row + i * sizeof(half), sizeof(half));
  return f16_to_f32(half);
}

// The scale in FP16. A group of zeros gets 1e-7 (docs/kv-cache.md), and so does one whose own scale would round to
// zero. A group that is not finite, or too large for an FP16 scale, becomes NaN as a whole.
uint16_t group_scale(std::span<const float> values, float limit) {
  constexpr uint16_t kInfinity = 0x7C00;
  constexpr uint16_t kNan = 0x7E00;
  const uint16_t scale = f32_to_f16(max_abs(values) / limit);
  if (scale == 0) return f32_to_f16(1e-7F);
  return scale < kInfinity ? scale : kNan;
}

struct Steps {
  float limit;  // of the scale
  float lowest, greatest;
};
constexpr Steps kInt8Steps = {127, -127, 127};
constexpr Steps kInt4Steps = {7, -8, 7};

void put_scales(const KvRowLayout& layout, float limit, const float* values, std::byte* row) {
  for (size_t g = 0; g < layout.groups(); ++g) {
    store_half(row + layout.scales_offset(), g, group_scale({values + g * layout.group, layout.group}, limit));
  }
}

// Values of a row, from `begin` on, that are quantized together. Bytes and nibbles have separate loops, which compilers
// convert to SIMD.
struct Part {
  size_t begin, count;
};

// Calls visit(i, end, scale) for the positions [i, end) of the part that share a scale.
template <class Visit>
void for_each_scale(const KvRowLayout& layout, const std::byte* row, const Part& part, Visit visit) {
  for (size_t i = 0; i < part.count;) {
    const size_t group = (part.begin + i) / layout.group;
    const size_t end = std::min((group + 1) * layout.group - part.begin, part.count);
    visit(i, end, load_half(row + layout.scales_offset(), group));
    i = end;
  }
}

// Rounds half to even, with the scales of the row.
void quantize(const KvRowLayout& layout, const Steps& steps, const float* values, const std::byte* row,
              const Part& part, int8_t* q) {
  values += part.begin;
  for_each_scale(layout, row, part, [&](size_t i, size_t end, float scale) {
    if (std::isnan(scale)) return std::fill(q + i, q + end, int8_t{0});
    for (; i < end; ++i) {
      const float rounded = std::clamp(round_half_even(values[i] / scale), steps.lowest, steps.greatest);
      q[i] = static_cast<int8_t>(static_cast<int>(rounded));
    }
  });
}

// `bias` is subtracted from each q.
void dequantize(const KvRowLayout& layout, const std::byte* row, const Part& part, const int8_t* q, int bias,
                float* values) {
  values += part.begin;
  for_each_scale(layout, row, part, [&](size_t i, size_t end, float scale) {
    for (; i < end; ++i) values[i] = static_cast<float>(q[i] - bias) * scale;
  });
}

// Nibbles go through a buffer of bytes, some at a time.
constexpr size_t kMaxNibbles = 64;
constexpr int kNibbleBias = 8;  // with its sign bit inverted, a nibble is q + 8

void pack(const int8_t* q, size_t count, std::byte* nibbles) {
  for (size_t i = 0; i < count / 2; ++i) {
    uint16_t pair;
    std::memcpy(&pair, q + 2 * i, sizeof(pair));
    nibbles[i] = static_cast<std::byte>((pair & 15) | (pair >> 4 & 0xF0));
  }
}

void unpack_nibbles(const std::byte* nibbles, size_t count, int8_t* q) {
  for (size_t i = 0; i < count / 2; ++i) {
    const unsigned both = std::to_integer<unsigned>(nibbles[i]);
    const auto pair = static_cast<uint16_t>(((both & 15) | (both & 0xF0) << 4) ^ 0x0808);
    std::memcpy(q + 2 * i, &pair, sizeof(pair));
  }
}

void encode_int4(const KvRowLayout& layout, const float* values, std::byte* row) {
  put_scales(layout, kInt4Steps.limit, values, row);
  for (Part part{0, 0}; part.begin < layout.head_dim; part.begin += kMaxNibbles) {
    int8_t q[kMaxNibbles];
    part.count = std::min(kMaxNibbles, layout.head_dim - part.begin);
    quantize(layout, kInt4Steps, values, row, part, q);
    pack(q, part.count, row + part.begin / 2);
  }
}

void decode_int4(const KvRowLayout& layout, const std::byte* row, float* values) {
  for (Part part{0, 0}; part.begin < layout.head_dim; part.begin += kMaxNibbles) {
    int8_t q[kMaxNibbles];
    part.count = std::min(kMaxNibbles, layout.head_dim - part.begin);
    unpack_nibbles(row + part.begin / 2, part.count, q);
    dequantize(layout, row, part, q, kNibbleBias, values);
  }
}

KvRowLayout with_bytes(KvRowLayout layout) {
  layout.bytes = (bytes_of(layout) + 3) / 4 * 4;
  return layout;
}

}  // namespace

Result<KvRowLayout> kv_row_layout(KvType type, size_t head_dim) {
  if (head_dim == 0 || head_dim > kMaxHeadDim) {
    return unsupported_error("a KV cache of heads with {} values; supported are 1 to {}", head_dim, kMaxHeadDim);
  }
  if (type == KvType::int4 && head_dim % 2 != 0) {
    return unsupported_error("an int4 KV cache of heads with {} values is not supported, only even numbers", head_dim);
  }
  KvRowLayout layout = {.type = type, .head_dim = head_dim};
  if (type == KvType::int8 || type == KvType::int4) layout.group = group_of(head_dim);
  return with_bytes(layout);
}

KvRowLayout int4_row_layout(size_t head_dim, size_t group) {
  return with_bytes({.type = KvType::int4, .head_dim = head_dim, .group = group});
}

bool kv_row_holds(const KvRowLayout& layout, const float* values) {
  return layout.type != KvType::f16 || all_finite_as(Dtype::f16, {values, layout.head_dim});
}

void encode_kv_row(const KvRowLayout& layout, const float* values, std::byte* row) {
  std::memset(row, 0, layout.bytes);
  switch (layout.type) {
    case KvType::f32:
      std::memcpy(row, values, layout.head_dim * sizeof(float));
      return;
    case KvType::f16:
      return encode(Dtype::f16, {values, layout.head_dim}, {row, layout.head_dim * sizeof(uint16_t)});
    case KvType::int8:
      put_scales(layout, kInt8Steps.limit, values, row);
      return quantize(layout, kInt8Steps, values, row, {0, layout.head_dim}, reinterpret_cast<int8_t*>(row));
    case KvType::int4:
      return encode_int4(layout, values, row);
  }
}

void decode_kv_row(const KvRowLayout& layout, const std::byte* row, float* values) {
  switch (layout.type) {
    case KvType::f32:
      std::memcpy(values, row, layout.head_dim * sizeof(float));
      return;
    case KvType::f16:
      return decode(Dtype::f16, {row, layout.head_dim * sizeof(uint16_t)}, {values, layout.head_dim});
    case KvType::int8:
      return dequantize(layout, row, {0, layout.head_dim}, reinterpret_cast<const int8_t*>(row), 0, values);
    case KvType::int4:
      return decode_int4(layout, row, values);
  }
}

bool kv_row_has_scales(const KvRowLayout& layout, const std::byte* row) {
  for (size_t g = 0; g < layout.groups(); ++g) {
    if (std::isnan(load_half(row + layout.scales_offset(), g))) return false;
  }
  return true;
}

}  // namespace quintet
