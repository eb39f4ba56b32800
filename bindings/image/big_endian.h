#pragma once
// Numbers as PNG and JPEG write them: most significant byte first.

#include <cstddef>
#include <cstdint>
#include <span>

namespace quintet::image {

inline uint32_t u16_at(std::span<const uint8_t> bytes, size_t at) {
  return static_cast<uint32_t>(bytes[at]) << 8 | bytes[at + 1];
}

inline uint32_t u32_at(std::span<const uint8_t> bytes, size_t at) {
  return u16_at(bytes, at) << 16 | u16_at(bytes, at + 2);
}

}  // namespace quintet::image
