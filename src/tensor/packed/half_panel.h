#pragma once
// Sixteen bytes of each of four rows, half of a panel's, and their transposition. GCC and Clang compile operations on
// these types to SIMD instructions.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tensor/packed/packed_matrix.h"

namespace quintet {

constexpr size_t kHalfPanel = kPanelRows / 2;

// Four bytes as one integer: for example a quad, a value per byte.
using QuadBytes = uint32_t;
using Quads [[gnu::vector_size(16)]] = QuadBytes;

inline void store(const Quads& quads, std::byte* to) { std::memcpy(to, &quads, sizeof quads); }

// Four quads of each of four rows; transposed, four rows of each quad.
struct HalfPanel {
  Quads rows[kHalfPanel];

  static HalfPanel load(const std::byte* rows, size_t stride) {
    HalfPanel half;
    for (size_t r = 0; r < kHalfPanel; ++r) std::memcpy(&half.rows[r], rows + r * stride, sizeof(Quads));
    return half;
  }

  HalfPanel transposed() const {
    const Quads a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const Quads b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const Quads c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const Quads d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    return {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
            __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
  }
};

}  // namespace quintet
