#include "tensor/packed/block_panel.h"

#include <cstring>

namespace quintet {
namespace {

constexpr size_t kQuads = kPackedColumns / kQuad;  // that are packed together

// Four quads, a value per byte. GCC and Clang compile operations on it to SIMD instructions.
using Quads [[gnu::vector_size(kPackedColumns)]] = QuadBytes;
constexpr size_t kBytes = sizeof(Quads);

// Four quads of each of four rows; transposed, four rows of each quad.
struct HalfPanel {
  Quads rows[kHalfPanel];

  HalfPanel transposed() const {
    const Quads a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const Quads b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const Quads c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const Quads d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    return {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
            __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
  }
};

// Sixteen columns of the rows from `first` on, without signs: half the range of the bits is added.
template <unsigned kBits>
HalfPanel load(const int8_t* q, size_t stride, size_t first) {
  HalfPanel half;
  for (size_t r = 0; r < kHalfPanel; ++r) {
    std::memcpy(&half.rows[r], q + (first + r) * stride, kBytes);
    if constexpr (kBits < 8) half.rows[r] &= in_each_byte((1u << kBits) - 1);
    half.rows[r] ^= in_each_byte(1u << (kBits - 1));
  }
  return half;
}

void store(const Quads& quads, std::byte* to) { std::memcpy(to, &quads, kBytes); }

// The low four bits of both halves of a panel.
HalfPanel nibbles(const HalfPanel& low, const HalfPanel& high) {
  HalfPanel both;
  for (size_t r = 0; r < kHalfPanel; ++r) {
    both.rows[r] = (low.rows[r] & in_each_byte(15)) | (high.rows[r] & in_each_byte(15)) << 4;
  }
  return both.transposed();
}

// The fifth bits of both halves, beside each other, for all quads.
Quads fifth_bits(const HalfPanel& low, const HalfPanel& high) {
  HalfPanel both;
  for (size_t r = 0; r < kHalfPanel; ++r) {
    both.rows[r] = (low.rows[r] >> 4 & in_each_byte(1)) | (high.rows[r] >> 4 & in_each_byte(1)) << 1;
  }
  const HalfPanel quads = both.transposed();
  return quads.rows[0] | quads.rows[1] << 2 | quads.rows[2] << 4 | quads.rows[3] << 6;
}

template <unsigned kBits>
void pack(size_t columns, const int8_t* q, size_t stride, std::byte* record) {
  std::byte* fifth = record + columns / kQuad * kBytes;
  for (size_t column = 0; column < columns; column += kPackedColumns) {
    const HalfPanel low = load<kBits>(q + column, stride, 0);
    const HalfPanel high = load<kBits>(q + column, stride, kHalfPanel);
    if constexpr (kBits == 8) {
      const HalfPanel low_quads = low.transposed(), high_quads = high.transposed();
      for (size_t i = 0; i < kQuads; ++i, record += 2 * kBytes) {
        store(low_quads.rows[i], record);
        store(high_quads.rows[i], record + kBytes);
      }
    } else {
      const HalfPanel quads = nibbles(low, high);
      for (size_t i = 0; i < kQuads; ++i, record += kBytes) store(quads.rows[i], record);
    }
    if constexpr (kBits == 5) {
      store(fifth_bits(low, high), fifth);
      fifth += kBytes;
    }
  }
}

}  // namespace

void pack_panel_block(BlockBits bits, size_t columns, const int8_t* q, size_t stride, std::byte* record) {
  switch (bits) {
    case BlockBits::four:
      return pack<4>(columns, q, stride, record);
    case BlockBits::five:
      return pack<5>(columns, q, stride, record);
    case BlockBits::eight:
      return pack<8>(columns, q, stride, record);
  }
}

void pack_panel_nibbles(const std::byte* rows, size_t stride, std::byte* low, std::byte* high) {
  HalfPanel lows, highs;
  for (size_t r = 0; r < kHalfPanel; ++r) {
    Quads first, second;
    std::memcpy(&first, rows + r * stride, kBytes);
    std::memcpy(&second, rows + (r + kHalfPanel) * stride, kBytes);
    lows.rows[r] = (first & in_each_byte(15)) | (second & in_each_byte(15)) << 4;
    highs.rows[r] = (first >> 4 & in_each_byte(15)) | (second & in_each_byte(240));
  }
  lows = lows.transposed();
  highs = highs.transposed();
  for (size_t i = 0; i < kQuads; ++i) {
    store(lows.rows[i], low + i * kBytes);
    store(highs.rows[i], high + i * kBytes);
  }
}

}  // namespace quintet
