#pragma once
// The two 16-bit float types. Reading is exact; writing rounds to the nearest value, ties to even. Subnormals,
// infinities and NaN (with the part of its payload that fits) are preserved.

#include <bit>
#include <cstdint>

namespace quintet {

inline float f16_to_f32(uint16_t half) {
  constexpr uint32_t kExponentMask = 0x1Fu << 23;  // of the half, moved to where a float has its exponent
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  uint32_t bits = static_cast<uint32_t>(half & 0x7FFFu) << 13;
  const uint32_t exponent = bits & kExponentMask;
  bits += (127u - 15u) << 23;
  if (exponent == kExponentMask) {
    bits += (128u - 16u) << 23;  // infinity or NaN
  } else if (exponent == 0) {
    // Zero or subnormal: subtracting the implicit one normalizes it, which is exact.
    constexpr uint32_t kOne = 113u << 23;
    bits = std::bit_cast<uint32_t>(std::bit_cast<float>(bits + (1u << 23)) - std::bit_cast<float>(kOne));
  }
  return std::bit_cast<float>(bits | sign);
}

inline uint16_t f32_to_f16(float value) {
  constexpr uint32_t kInfinity = 0xFFu << 23;
  constexpr uint32_t kTooLarge = (127u + 16u) << 23;  // 65536: too large for a half, with any rounding
  constexpr uint32_t kSmallestNormal = (127u - 14u) << 23;
  const uint32_t all = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>((all >> 16) & 0x8000u);
  uint32_t bits = all & 0x7FFFFFFFu;
  if (bits > kInfinity) {
    const uint32_t payload = (bits >> 13) & 0x3FFu;
    return static_cast<uint16_t>(sign | 0x7C00u | (payload != 0 ? payload : 0x200u));
  }
  if (bits >= kTooLarge) return sign | 0x7C00u;
  if (bits < kSmallestNormal) {
    // Adding 0.5 aligns the last bit of the half with the last bit of the float, so that the addition rounds.
    const uint32_t rounded = std::bit_cast<uint32_t>(std::bit_cast<float>(bits) + 0.5f);
    return static_cast<uint16_t>(sign | (rounded - std::bit_cast<uint32_t>(0.5f)));
  }
  const uint32_t odd = (bits >> 13) & 1;  // ties go to the even neighbor
  bits -= (127u - 15u) << 23;
  bits += 0xFFFu + odd;  // a carry into the exponent, up to infinity, is correct
  return static_cast<uint16_t>(sign | (bits >> 13));
}

inline float bf16_to_f32(uint16_t value) { return std::bit_cast<float>(static_cast<uint32_t>(value) << 16); }

inline uint16_t f32_to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) {
    const uint16_t top = static_cast<uint16_t>(bits >> 16);
    return (top & 0x7Fu) != 0 ? top : static_cast<uint16_t>(top | 0x40u);
  }
  const uint32_t odd = (bits >> 16) & 1;
  return static_cast<uint16_t>((bits + 0x7FFFu + odd) >> 16);
}

}  // namespace quintet
