// The IQ types of GGUF whose values are points of a grid: 256 values in groups of 32 or 16 with their own scales, in
// units of the block's d (ggml, ggml-quants.c).

#include <array>
#include <bit>

#include "tensor/codecs/gguf_block.h"
#include "tensor/codecs/gguf_blocks.h"
#include "tensor/codecs/iq_grids.h"

namespace quintet {
namespace {

using iq::Grid;

// A point, with the sign of each coordinate as a bit.
void put_point(const Grid& grid, size_t index, unsigned signs, int8_t* q) {
  const int8_t* point = grid.point(index);
  for (size_t i = 0; i < grid.dimensions(); ++i) {
    q[i] = static_cast<int8_t>((signs >> i & 1) != 0 ? -point[i] : point[i]);
  }
}

// Seven bits of signs; the eighth makes their number even.
unsigned even_signs(unsigned seven) { return seven | (static_cast<unsigned>(std::popcount(seven)) & 1) << 7; }

// Eight values as two points of four dimensions.
void put_two_points(const Grid& grid, size_t first, size_t second, unsigned signs, int8_t* q) {
  put_point(grid, first, signs, q);
  put_point(grid, second, signs >> 4, q + 4);
}

// Scales in fours: 1/8 d (2s + 1), for two groups of 16 in each byte.
void put_scales_of_iq2(float d, GgufBlock scales, BlockValues& values) {
  for (size_t group = 0; group < 16; ++group) {
    const unsigned s = scales.u8(group / 2) >> (group % 2 * 4) & 15;
    values.scales[group] = d * static_cast<float>(2 * s + 1) * 0.125F;
  }
}

// IQ1 adds 1/8 or -1/8 to each coordinate -1, 0 or 1. In units of 1/8 they are integers.
void put_shifted_point(size_t index, bool down, int8_t* q) {
  const int8_t* point = iq::iq1_grid().point(index);
  for (size_t i = 0; i < 8; ++i) q[i] = static_cast<int8_t>(8 * point[i] + (down ? -1 : 1));
}

}  // namespace

// [d f16], and for each group of 32 [4 points][u32: 4 times 7 signs, 4 bits of scale]
void decode_iq2_xxs(const std::byte* bytes, BlockValues& values) {
  const GgufBlock block{bytes};
  const float d = block.half(0);
  for (size_t group = 0; group < 8; ++group) {
    const GgufBlock points = block.from(2 + group * 8);
    const uint32_t signs = points.u32(4);
    values.scales[group] = d * static_cast<float>(2 * (signs >> 28) + 1) * 0.125F;
    for (size_t i = 0; i < 4; ++i) {
      put_point(iq::iq2_xxs_grid(), points.u8(i), even_signs(signs >> 7 * i & 127), values.q + group * 32 + i * 8);
    }
  }
}

// [d f16][32 points u16: 9 bits and 7 signs][8 bytes of scales]
void decode_iq2_xs(const std::byte* bytes, BlockValues& values) {
  const GgufBlock block{bytes};
  put_scales_of_iq2(block.half(0), block.from(66), values);
  for (size_t i = 0; i < 32; ++i) {
    const unsigned point = block.u16(2 + 2 * i);
    put_point(iq::iq2_xs_grid(), point & 511, even_signs(point >> 9), values.q + i * 8);
  }
}

// [d f16][low 8 bits of 32 points][32 bytes of signs][upper 2 bits of the points][8 bytes of scales]
void decode_iq2_s(const std::byte* bytes, BlockValues& values) {
  const GgufBlock block{bytes};
  put_scales_of_iq2(block.half(0), block.from(74), values);
  for (size_t i = 0; i < 32; ++i) {
    const unsigned upper = block.u8(66 + i / 4) >> (i % 4 * 2) & 3;
    put_point(iq::iq2_s_grid(), block.u8(2 + i) | upper << 8, block.u8(34 + i), values.q + i * 8);
  }
}

// [d f16][64 points], and for each group of 32 [u32: 4 times 7 signs, 4 bits of scale]
void decode_iq3_xxs(const std::byte* bytes, BlockValues& values) {
  const GgufBlock block{bytes};
  const float d = block.half(0);
  for (size_t group = 0; group < 8; ++group) {
    const GgufBlock points = block.from(2 + group * 8);
    const uint32_t signs = block.u32(66 + group * 4);
    values.scales[group] = d * static_cast<float>(2 * (signs >> 28) + 1) * 0.25F;
    for (size_t i = 0; i < 4; ++i) {
      put_two_points(iq::iq3_xxs_grid(), points.u8(2 * i), points.u8(2 * i + 1), even_signs(signs >> 7 * i & 127),
                     values.q + group * 32 + i * 8);
    }
  }
}

// [d f16][low 8 bits of 64 points][their ninth bits][32 bytes of signs][4 bytes of scales], in groups of 32
void decode_iq3_s(const std::byte* bytes, BlockValues& values) {
  const GgufBlock block{bytes};
  values.unit = block.half_bits(0);
  for (size_t group = 0; group < 8; ++group) {
    const unsigned s = block.u8(106 + group / 2) >> (group % 2 * 4) & 15;
    values.scales[group] = static_cast<float>(2 * s + 1);
  }
  const auto point = [&](size_t i) { return block.u8(2 + i) | block.bit(66 + i / 8, i % 8) << 8; };
  for (size_t i = 0; i < 32; ++i) {
    put_two_points(iq::iq3_s_grid(), point(2 * i), point(2 * i + 1), block.u8(74 + i), values.q + i * 8);
  }
}

// [d f16][low 8 bits of 32 points], and for each group of 32 [u16: upper 3 bits of 4 points, 3 bits of scale, whether
// its values are shifted down]
void decode_iq1_s(const std::byte* bytes, BlockValues& values) {
  const GgufBlock block{bytes};
  const float d = block.half(0);
  for (size_t group = 0; group < 8; ++group) {
    const unsigned rest = block.u16(34 + group * 2);
    values.scales[group] = d * static_cast<float>(2 * (rest >> 12 & 7) + 1) * 0.125F;
    for (size_t i = 0; i < 4; ++i) {
      const unsigned point = block.u8(2 + group * 4 + i) | (rest >> 3 * i & 7) << 8;
      put_shifted_point(point, rest >> 15 != 0, values.q + group * 32 + i * 8);
    }
  }
}

// [low 8 bits of 32 points], for each of them 4 bits [upper 3 bits, whether it is shifted down], and four u16: 12 bits
// of scales for four groups of 16, and 4 bits of d f16
void decode_iq1_m(const std::byte* bytes, BlockValues& values) {
  const GgufBlock block{bytes};
  const GgufBlock scales = block.from(48);
  unsigned bits_of_d = 0;
  for (size_t i = 0; i < 4; ++i) bits_of_d |= scales.u16(2 * i) >> 12 << 4 * i;
  const float d = f16_to_f32(static_cast<uint16_t>(bits_of_d));
  for (size_t group = 0; group < 16; ++group) {
    const unsigned s = scales.u16(group / 4 * 2) >> (group % 4 * 3) & 7;
    values.scales[group] = d * static_cast<float>(2 * s + 1) * 0.125F;
  }
  for (size_t i = 0; i < 32; ++i) {
    const unsigned upper = block.u8(32 + i / 2) >> (i % 2 * 4);
    put_shifted_point(block.u8(i) | (upper & 7) << 8, (upper & 8) != 0, values.q + i * 8);
  }
}

}  // namespace quintet
