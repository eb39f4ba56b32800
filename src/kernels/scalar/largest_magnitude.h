#pragma once
// The greatest magnitude of some values; NaN or infinity if they contain either.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace quintet::scalar {

// Compared as bit patterns, in which infinity and NaN are greater than every number.
inline float largest_magnitude(const float* x, size_t count) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, std::bit_cast<uint32_t>(x[i]) & 0x7fffffffu);
  return std::bit_cast<float>(largest);
}

}  // namespace quintet::scalar
