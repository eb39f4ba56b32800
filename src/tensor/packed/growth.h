#pragma once
// Buffers that grow while rows arrive, so that a wrong number of rows costs nothing.

#include <algorithm>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/checked.h"
#include "base/result.h"

namespace quintet {

// A product that does not fit counts as "more than there is memory".
inline uint64_t saturating_product(uint64_t a, uint64_t b) { return checked_mul(a, b).value_or(UINT64_MAX); }

// Room for `count` values. Without a reservation, memory grows by half, up to `whole`.
template <class T>
Status reserve_ahead(AlignedBuffer<T>& buffer, uint64_t count, uint64_t whole) {
  if (count <= buffer.capacity()) return {};
  const uint64_t ahead = buffer.capacity() + uint64_t{buffer.capacity() / 2};
  return buffer.reserve(std::max(count, std::min(ahead, whole)));
}

// Also resizes the buffer. New values are zero, which doubles as padding.
template <class T>
Status grow_to(AlignedBuffer<T>& buffer, uint64_t count, uint64_t whole) {
  QUINTET_CHECK(reserve_ahead(buffer, count, whole));
  return buffer.resize(count);
}

}  // namespace quintet
