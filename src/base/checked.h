#pragma once
// Arithmetic on untrusted sizes and offsets. There is no result if it would overflow.

#include <cstdint>
#include <optional>

namespace quintet {

inline std::optional<uint64_t> checked_add(uint64_t a, uint64_t b) {
  uint64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<uint64_t> checked_mul(uint64_t a, uint64_t b) {
  uint64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Whether [offset, offset + size) lies within [0, end).
inline bool fits(uint64_t offset, uint64_t size, uint64_t end) { return offset <= end && size <= end - offset; }

// The next multiple of a power of two. `value` must be far below 2^64.
constexpr uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

}  // namespace quintet
