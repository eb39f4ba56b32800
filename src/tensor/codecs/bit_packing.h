#pragma once
// Small integers packed into bytes, in two's complement.
//   8 bits   one byte each
//   4 bits   value 2i in the low half of byte i, value 2i+1 in the high half
//   5 bits   a bit stream, least significant first: eight values in five bytes
// A row that ends inside a byte is padded with zeros; eight values always end at a byte boundary.

#include <cstddef>
#include <cstdint>
#include <span>

namespace quintet {

constexpr uint64_t kPackedTogether = 8;

// Requires count * bits to fit 64 bits.
constexpr uint64_t packed_bytes(unsigned bits, uint64_t count) { return count / 8 * bits + (count % 8 * bits + 7) / 8; }

// values[i] = q[i] * scale. `packed` holds packed_bytes(bits, values.size()); bits is 4, 5 or 8.
void unpack(unsigned bits, const std::byte* packed, float scale, std::span<float> values);

// The integers themselves.
void unpack(unsigned bits, const std::byte* packed, std::span<int8_t> q);

// The reverse. `packed` must be zero before. Requires q in the range of `bits`.
void pack(unsigned bits, std::span<const int8_t> q, std::byte* packed);

}  // namespace quintet
