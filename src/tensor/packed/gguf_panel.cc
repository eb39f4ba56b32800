#include "tensor/packed/gguf_panel.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "tensor/packed/block_panel.h"

namespace quintet {
namespace {

// A number of each of four rows. GCC and Clang compile operations on these to SIMD instructions.
using Words [[gnu::vector_size(kHalfPanel * sizeof(uint32_t))]] = uint32_t;
using Floats [[gnu::vector_size(kHalfPanel * sizeof(float))]] = float;
using Bytes16 [[gnu::vector_size(16)]] = uint8_t;

// One block of each row of a panel.
struct Blocks {
  const std::byte* at;
  size_t stride;

  Blocks from(size_t byte) const { return {at + byte, stride}; }

  // Four bytes of each of four rows. Not inlined: all types share it, and pages download the code.
  [[gnu::noinline]] Words gather(size_t first_row, size_t byte) const {
    Words words;
    for (size_t r = 0; r < kHalfPanel; ++r) {
      uint32_t value;
      std::memcpy(&value, at + (first_row + r) * stride + byte, sizeof value);
      words[r] = value;
    }
    return words;
  }
};

// The destination of such a block: the records of its columns.
struct Records {
  [[gnu::noinline]] Records(const BlockMatrix& matrix, std::byte* panel)
      : at(panel),
        block(matrix.block()),
        bytes(matrix.record_bytes()),
        high_at(matrix.high_at()),
        scales_at(matrix.scales_at()),
        offsets_at(matrix.offsets_at()),
        units_at(matrix.units_at()) {}

  std::byte* of(size_t column) const { return at + column / block * bytes; }
  std::byte* scales(size_t column) const { return of(column) + scales_at; }
  std::byte* high(size_t column) const { return of(column) + high_at; }
  std::byte* nibbles(size_t column) const { return of(column) + column % block / kQuad * sizeof(Quads); }
  // The places of the parts of a super-block.
  std::byte* offsets() const { return of(BlockMatrix::kSuperBlock); }
  std::byte* units() const { return offsets() + units_at; }

  std::byte* at;
  size_t block, bytes, high_at, scales_at, offsets_at, units_at;
};

[[gnu::noinline]] void put_halves(Words halves, std::byte* to) {
  for (size_t r = 0; r < kHalfPanel; ++r) {
    const auto half = static_cast<uint16_t>(halves[r]);
    std::memcpy(to + r * sizeof half, &half, sizeof half);
  }
}

// Halves as floats; exact for finite ones. The exponents differ by 112, also where both are subnormal.
Floats widen(Words halves) {
  const auto magnitude = std::bit_cast<Floats>((halves & 0x7FFF) << 13) * 0x1p112F;
  return std::bit_cast<Floats>(std::bit_cast<Words>(magnitude) | (halves & 0x8000) << 16);
}

// Bit 15 is set where a half is infinite or NaN.
Words infinite(Words halves) { return (halves & 0x7C00) + 0x0400; }

// Four bytes of each of four rows: those at the same position to one place, `step` apart.
[[gnu::noinline]] void put_transposed(Words words, std::byte* to, size_t step) {
  const auto bytes = std::bit_cast<Bytes16>(words);
  const auto of_rows =
      std::bit_cast<Words>(__builtin_shufflevector(bytes, bytes, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  for (size_t i = 0; i < sizeof(uint32_t); ++i, to += step) {
    const uint32_t word = of_rows[i];
    std::memcpy(to, &word, sizeof word);
  }
}

// Offsets of four blocks of each of four rows: those of two blocks side by side.
void put_pairs(Words words, std::byte* to) {
  for (size_t i = 0; i < 2; ++i, to += 2 * kPanelRows) put_halves(words >> 16 * i, to);
}

// 4-bit values that come in runs of bytes: first those in the low halves, then those in the high ones.
[[gnu::noinline]] void put_nibbles(size_t run, Blocks nibbles, size_t values, const Records& to) {
  for (size_t begin = 0; begin < values; begin += 2 * run) {
    for (size_t i = begin; i < begin + run; i += kPackedColumns, nibbles = nibbles.from(kPackedColumns)) {
      pack_panel_nibbles(nibbles.at, nibbles.stride, to.nibbles(i), to.nibbles(i + run));
    }
  }
}

// Sixteen bytes of all rows, as quads.
struct PanelBytes {
  [[gnu::noinline]] explicit PanelBytes(Blocks bytes)
      : low(HalfPanel::load(bytes.at, bytes.stride).transposed()),
        high(HalfPanel::load(bytes.at + kHalfPanel * bytes.stride, bytes.stride).transposed()) {}

  // kBits bits of each, from `shift` on, of both halves side by side.
  template <unsigned kBits>
  Quads bits(size_t quad, unsigned shift) const {
    const uint32_t mask = in_each_byte((1u << kBits) - 1);
    return (low.rows[quad] >> shift & mask) | (high.rows[quad] >> shift & mask) << kBits;
  }

  HalfPanel low, high;
};

// A type: the layout of its blocks (gguf_blocks.cc), and put(), which returns infinite() of all halves.

struct Q4_0 {
  static constexpr size_t kBytes = 18, kValues = 32;

  static Words put(Blocks blocks, const Records& to) {
    Words wrong = {};
    for (size_t row = 0; row < kPanelRows; row += kHalfPanel) {
      const Words d = blocks.gather(row, 0) & 0xFFFF;
      put_halves(d, to.scales(0) + row * sizeof(uint16_t));
      wrong |= infinite(d);
    }
    put_nibbles(16, blocks.from(2), kValues, to);
    return wrong;
  }
};

struct Q4_1 {
  static constexpr size_t kBytes = 20, kValues = 32;
  static constexpr float kMiddle = 8;  // of unsigned values, which are around 0 in a matrix

  static Words put(Blocks blocks, const Records& to) {
    Words wrong = {};
    for (size_t row = 0; row < kPanelRows; row += kHalfPanel) {
      const Words both = blocks.gather(row, 0), d = both & 0xFFFF, m = both >> 16;
      put_halves(d, to.scales(0) + row * sizeof(uint16_t));
      const Floats offsets = widen(m) + kMiddle * widen(d);
      std::memcpy(to.at + to.offsets_at + row * sizeof(float), &offsets, sizeof offsets);
      wrong |= infinite(d) | infinite(m);
    }
    put_nibbles(16, blocks.from(4), kValues, to);
    return wrong;
  }
};

struct Q8_0 {
  static constexpr size_t kBytes = 34, kValues = 32;

  static Words put(Blocks blocks, const Records& to) {
    Words wrong = {};
    for (size_t row = 0; row < kPanelRows; row += kHalfPanel) {
      const Words d = blocks.gather(row, 0) & 0xFFFF;
      put_halves(d, to.scales(0) + row * sizeof(uint16_t));
      wrong |= infinite(d);
    }
    pack_panel_block(BlockBits::eight, kValues, reinterpret_cast<const int8_t*>(blocks.at + 2), blocks.stride, to.at);
    return wrong;
  }
};

// Scales and offsets of Q4_K and Q5_K, in the first 16 bytes.
[[gnu::noinline]] Words put_parameters_of_k(Blocks blocks, const Records& to) {
  Words wrong = {};
  for (size_t row = 0; row < kPanelRows; row += kHalfPanel) {
    const Words both = blocks.gather(row, 0), d = both & 0xFFFF, dmin = both >> 16;
    const Words first = blocks.gather(row, 4), second = blocks.gather(row, 8);
    const Words third = blocks.gather(row, 12);
    // Six bits in each byte: four groups of four rows.
    put_transposed(first & 0x3F3F3F3F, to.scales(0) + row, to.bytes);
    put_transposed((third & 0x0F0F0F0F) | (first >> 6 & 0x03030303) << 4, to.scales(128) + row, to.bytes);
    std::byte* const offsets = to.offsets() + 2 * row;
    put_pairs(second & 0x3F3F3F3F, offsets);
    put_pairs((third >> 4 & 0x0F0F0F0F) | (second >> 6 & 0x03030303) << 4, offsets + 4 * kPanelRows);
    put_halves(d, to.units() + row * sizeof(uint16_t));
    put_halves(dmin, to.units() + (kPanelRows + row) * sizeof(uint16_t));
    wrong |= infinite(d) | infinite(dmin);
  }
  return wrong;
}

struct Q4_K {
  static constexpr size_t kBytes = 144, kValues = 256;

  static Words put(Blocks blocks, const Records& to) {
    put_nibbles(32, blocks.from(16), kValues, to);
    return put_parameters_of_k(blocks, to);
  }
};

struct Q5_K {
  static constexpr size_t kBytes = 176, kValues = 256;

  static Words put(Blocks blocks, const Records& to) {
    put_nibbles(32, blocks.from(48), kValues, to);
    for (size_t i = 0; i < BlockMatrix::kMaxBlock; i += kPackedColumns) {
      const PanelBytes fifth(blocks.from(16 + i));
      for (unsigned group = 0; group < 8; ++group) {
        const auto bits = [&](size_t quad) { return fifth.bits<1>(quad, group) << 2 * quad; };
        store(bits(0) | bits(1) | bits(2) | bits(3), to.high(group * BlockMatrix::kMaxBlock) + i);
      }
    }
    return put_parameters_of_k(blocks, to);
  }
};

struct Q6_K {
  static constexpr size_t kBytes = 210, kValues = 256;

  // The six bits of sixteen columns of half a panel, as BlockMatrix has them.
  static void put_columns(const HalfPanel& nibbles, unsigned nibble_shift, const HalfPanel& pairs, unsigned pair_shift,
                          std::byte* to) {
    const auto value = [&](size_t quad) {
      return (nibbles.rows[quad] >> nibble_shift & 0x0F0F0F0F) | (pairs.rows[quad] >> pair_shift & 0x03030303) << 4;
    };
    const Quads fourth = value(3);
    store(value(0) | (fourth & 0x30303030) << 2, to);
    store(value(1) | (fourth & 0x0C0C0C0C) << 4, to + 2 * sizeof(Quads));
    store(value(2) | (fourth & 0x03030303) << 6, to + 4 * sizeof(Quads));
  }

  static Words put(Blocks blocks, const Records& to) {
    for (size_t i = 0; i < kValues; i += kPackedColumns) {
      // Each half has 32 columns in the low nibbles of bytes, 32 more in those of the next bytes, and then 64 in the
      // high nibbles.
      const size_t half = i / 128, column = i % 32;
      const unsigned quarter = i % 128 / 32;
      const PanelBytes nibbles(blocks.from(half * 64 + quarter % 2 * 32 + column));
      const PanelBytes pairs(blocks.from(128 + half * 32 + column));
      put_columns(nibbles.low, quarter / 2 * 4, pairs.low, quarter * 2, to.of(i));
      put_columns(nibbles.high, quarter / 2 * 4, pairs.high, quarter * 2, to.of(i) + sizeof(Quads));
    }
    Words wrong = {};
    for (size_t row = 0; row < kPanelRows; row += kHalfPanel) {
      for (size_t group = 0; group < 16; group += 4) {
        std::byte* const scales = to.scales(group * BlockMatrix::kSixBitBlock) + row;
        put_transposed(blocks.gather(row, 192 + group), scales, to.bytes);
      }
      const Words d = blocks.gather(row, 206) >> 16;
      put_halves(d, to.units() + row * sizeof(uint16_t));
      wrong |= infinite(d);
    }
    return wrong;
  }
};

template <class Type>
bool pack(const std::byte* rows, size_t row_bytes, const BlockMatrix& matrix, std::byte* panel) {
  Words wrong = {};
  Records to(matrix, panel);
  const size_t count = matrix.cols() / Type::kValues, step = matrix.panel_bytes() / count;
  for (size_t block = 0; block < count; ++block, rows += Type::kBytes, to.at += step) {
    wrong |= Type::put({.at = rows, .stride = row_bytes}, to);
  }
  for (size_t r = 0; r < kHalfPanel; ++r) {
    if ((wrong[r] & 0x8000) != 0) return false;
  }
  return true;
}

}  // namespace

PackGgufPanel* gguf_panel_packer(Scheme scheme) {
  switch (scheme) {
    case Scheme::q4_0:
      return pack<Q4_0>;
    case Scheme::q4_1:
      return pack<Q4_1>;
    case Scheme::q8_0:
      return pack<Q8_0>;
    case Scheme::q4_k:
      return pack<Q4_K>;
    case Scheme::q5_k:
      return pack<Q5_K>;
    case Scheme::q6_k:
      return pack<Q6_K>;
    default:
      return nullptr;
  }
}

}  // namespace quintet
