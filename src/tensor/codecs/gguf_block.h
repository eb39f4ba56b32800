#pragma once
// The bytes of a GGUF block, read by position. Unaligned, little-endian.

#include <cstddef>
#include <cstdint>

#include "base/half.h"

namespace quintet {

struct GgufBlock {
  const std::byte* at;

  unsigned u8(size_t i) const { return std::to_integer<unsigned>(at[i]); }
  int i8(size_t i) const { return static_cast<int8_t>(at[i]); }
  unsigned u16(size_t i) const { return u8(i) | u8(i + 1) << 8; }
  uint32_t u32(size_t i) const { return u16(i) | uint32_t{u16(i + 2)} << 16; }
  unsigned low(size_t i) const { return u8(i) & 15; }
  unsigned high(size_t i) const { return u8(i) >> 4; }
  unsigned bit(size_t i, size_t n) const { return u8(i) >> n & 1; }
  GgufBlock from(size_t i) const { return {at + i}; }
  uint16_t half_bits(size_t i) const { return static_cast<uint16_t>(u16(i)); }
  float half(size_t i) const { return f16_to_f32(half_bits(i)); }
};

}  // namespace quintet
