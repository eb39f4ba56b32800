#include "tensor/finite.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace quintet {

// A value is not finite if all bits of the exponent are set: only then does adding one to it reach the (cleared) sign.
bool all_finite(std::span<const float> values) {
  constexpr uint32_t kMagnitude = 0x7FFFFFFF, kExponentOne = 0x00800000, kSign = 0x80000000;
  uint32_t reached = 0;
  for (const float value : values) reached |= (std::bit_cast<uint32_t>(value) & kMagnitude) + kExponentOne;
  return (reached & kSign) == 0;
}

bool all_finite_halves(Bytes halves) {
  constexpr uint16_t kMagnitude = 0x7FFF, kExponentOne = 0x0400, kSign = 0x8000;
  uint16_t reached = 0;
  for (size_t i = 0; i + 2 <= halves.size(); i += 2) {
    uint16_t half;
    std::memcpy(&half, halves.data() + i, sizeof half);
    reached |= static_cast<uint16_t>((half & kMagnitude) + kExponentOne);
  }
  return (reached & kSign) == 0;
}

bool all_finite_as(Dtype dtype, std::span<const float> values) {
  // The midpoint between the largest 16-bit number and what would be the next one rounds to infinity.
  constexpr float kInfiniteHalf = 65520, kInfiniteBfloat = 0x1.FFp127F;
  const float first_infinite = dtype == Dtype::f16    ? kInfiniteHalf
                               : dtype == Dtype::bf16 ? kInfiniteBfloat
                                                      : std::numeric_limits<float>::infinity();
  return max_abs(values) < first_infinite;
}

// Bit patterns are compared, where infinity and NaN are greater than every number. Not inlined: code size is download
// size.
[[gnu::noinline]] float max_abs(const float* values, size_t count) {
  uint32_t max = 0;
  for (size_t i = 0; i < count; ++i) max = std::max(max, std::bit_cast<uint32_t>(values[i]) & 0x7fffffffu);
  return std::bit_cast<float>(max);
}

}  // namespace quintet
