#include "tensor/packed/block_panel.h"

namespace quintet {
namespace {

constexpr size_t kQuads = kPackedColumns / kQuad;  // that are packed together

constexpr size_t kBytes = sizeof(Quads);

// Sixteen columns of the rows from `first` on, without signs: half the range of the bits is added.
template <unsigned kBits>
HalfPanel load(const int8_t* q, size_t stride, size_t first) {
  HalfPanel half = HalfPanel::load(reinterpret_cast<const std::byte*>(q) + first * stride, stride);
  for (size_t r = 0; r < kHalfPanel; ++r) {
    if constexpr (kBits < 8) half.rows[r] &= in_each_byte((1u << kBits) - 1);
    half.rows[r] ^= in_each_byte(1u << (kBits - 1));
  }
  return half;
}

// The low four bits of both halves of a panel.
HalfPanel nibbles(const HalfPanel& low, const HalfPanel& high) {
  HalfPanel both;
  for (size_t r = 0; r < kHalfPanel; ++r) {
    both.rows[r] = (low.rows[r] & in_each_byte(15)) | (high.rows[r] & in_each_byte(15)) << 4;
  }
  return both.transposed();
}

// The fifth bits of both halves, side by side, for all quads.
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
    case BlockBits::six:
      return;  // by the packer of their only type (gguf_panel.h)
    case BlockBits::eight:
      return pack<8>(columns, q, stride, record);
  }
}

void pack_panel_nibbles(const std::byte* rows, size_t stride, std::byte* low, std::byte* high) {
  const HalfPanel first = HalfPanel::load(rows, stride), second = HalfPanel::load(rows + kHalfPanel * stride, stride);
  HalfPanel lows, highs;
  for (size_t r = 0; r < kHalfPanel; ++r) {
    lows.rows[r] = (first.rows[r] & in_each_byte(15)) | (second.rows[r] & in_each_byte(15)) << 4;
    highs.rows[r] = (first.rows[r] >> 4 & in_each_byte(15)) | (second.rows[r] & in_each_byte(240));
  }
  lows = lows.transposed();
  highs = highs.transposed();
  for (size_t i = 0; i < kQuads; ++i) {
    store(lows.rows[i], low + i * kBytes);
    store(highs.rows[i], high + i * kBytes);
  }
}

}  // namespace quintet
