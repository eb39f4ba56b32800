#include "tensor/codecs/gguf_blocks.h"

#include <bit>
#include <cstring>
#include <limits>

#include "tensor/codecs/gguf_block.h"

namespace quintet {
namespace {

using Block = GgufBlock;

int8_t integer(unsigned value, int above = 0) { return static_cast<int8_t>(static_cast<int>(value) - above); }

// Sixteen bytes of 4 bits, the low halves before the high ones. `q` is elsewhere, so that loops become vectors, which
// are large enough to be shared by the types.
[[gnu::noinline]] void put_halves(Block nibbles, int above, int8_t* __restrict q) {
  for (size_t i = 0; i < 16; ++i) {
    q[i] = integer(nibbles.low(i), above);
    q[i + 16] = integer(nibbles.high(i), above);
  }
}

// Bit i of a byte as bit 0 of byte i: each byte of a copy keeps its own bit, and becomes 0x80 or more if that is set.
uint64_t spread_bits(unsigned byte) {
  constexpr uint64_t kEach = 0x0101010101010101;
  const uint64_t own = byte * kEach & 0x8040201008040201;
  return ((own + 0x7f * kEach) | own) >> 7 & kEach;
}

// Nibbles with fifth bits, which are four bytes.
[[gnu::noinline]] void put_halves(Block nibbles, Block fifth_bits, int above, int8_t* __restrict q) {
  std::array<uint8_t, 32> fifth;
  for (size_t i = 0; i < 4; ++i) {
    const uint64_t spread = spread_bits(fifth_bits.u8(i));
    std::memcpy(fifth.data() + 8 * i, &spread, sizeof spread);
  }
  for (size_t i = 0; i < 16; ++i) {
    q[i] = integer(nibbles.low(i) | unsigned{fifth[i]} << 4, above);
    q[i + 16] = integer(nibbles.high(i) | unsigned{fifth[i + 16]} << 4, above);
  }
}

// The K types: 256 values in groups with their own scales, in units of the block's d.

// Twelve bytes contain eight 6-bit scales and eight 6-bit offsets: those of groups 0 to 3 in separate bytes; for groups
// 4 to 7 the low four bits of both in a byte, and the upper two bits above the six of the others.
struct GroupScale {
  unsigned scale;
  unsigned offset;
};

GroupScale group_scale(Block scales, size_t group) {
  if (group < 4) return {.scale = scales.u8(group) & 63, .offset = scales.u8(group + 4) & 63};
  return {.scale = scales.low(group + 4) | scales.u8(group - 4) >> 6 << 4,
          .offset = scales.high(group + 4) | scales.u8(group) >> 6 << 4};
}

// [d f16][dmin f16][12 bytes of scales], and from `nibbles` on 128 bytes of 4 bits: eight groups of 32; two groups
// share 32 bytes, the first in their low halves.
[[gnu::noinline]] void decode_k(Block block, Block nibbles, BlockValues& values) {
  values.unit = block.half_bits(0);
  values.offset_unit = block.half_bits(2);
  for (size_t group = 0; group < 8; ++group) {
    const GroupScale parameters = group_scale(block.from(4), group);
    values.scales[group] = static_cast<float>(parameters.scale);
    values.offsets[group] = -static_cast<float>(parameters.offset);
  }
  for (size_t pair = 0; pair < 4; ++pair) {
    const Block bytes = nibbles.from(pair * 32);
    int8_t* const __restrict q = values.q + pair * 64;
    for (size_t i = 0; i < 32; ++i) {
      q[i] = integer(bytes.low(i));
      q[i + 32] = integer(bytes.high(i));
    }
  }
}

// 64 bytes of 2 bits: each half of the block has 32 bytes, with four planes of 32 values from the low bits on.
[[gnu::noinline]] void put_quarters(Block pairs, int8_t* __restrict q) {
  for (size_t half = 0; half < 2; ++half) {
    for (size_t plane = 0; plane < 4; ++plane) {
      int8_t* const values = q + half * 128 + plane * 32;
      for (size_t i = 0; i < 32; ++i) values[i] = integer(pairs.u8(half * 32 + i) >> (2 * plane) & 3);
    }
  }
}

using Codebook = std::array<int8_t, 16>;

// ggml, ggml-common.h: kvalues_iq4nl and, in units of 1/2, kvalues_mxfp4.
constexpr Codebook kIq4 = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
constexpr Codebook kMxfp4 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// Sixteen bytes of two indices, the low halves before the high ones.
void look_up(Block indices, const Codebook& codebook, int8_t* __restrict q) {
  for (size_t i = 0; i < 16; ++i) {
    q[i] = codebook[indices.low(i)];
    q[i + 16] = codebook[indices.high(i)];
  }
}

}  // namespace

// Types 0 and 1: 32 values, value i in the low half of byte i, value i + 16 in the high half; fifth bits in a separate
// 32-bit field. Type 0 is symmetric around 8 or 16, type 1 has an offset.

// [d f16][16 bytes of 4 bits]
void decode_q4_0(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  values.scales[0] = block.half(0);
  put_halves(block.from(2), 8, values.q);
}

// [d f16][m f16][16 bytes of 4 bits]
void decode_q4_1(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  values.scales[0] = block.half(0);
  values.offsets[0] = block.half(2);
  put_halves(block.from(4), 0, values.q);
}

// [d f16][32 fifth bits][16 bytes of 4 bits]
void decode_q5_0(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  values.scales[0] = block.half(0);
  put_halves(block.from(6), block.from(2), 16, values.q);
}

// [d f16][m f16][32 fifth bits][16 bytes of 4 bits]
void decode_q5_1(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  values.scales[0] = block.half(0);
  values.offsets[0] = block.half(2);
  put_halves(block.from(8), block.from(4), 0, values.q);
}

// [d f16][32 int8]
void decode_q8_0(const std::byte* bytes, BlockValues& values) {
  values.scales[0] = Block{bytes}.half(0);
  std::memcpy(values.q, bytes + 2, 32);
}

// [d f16][sum f16][32 int8]: the sum of the values is for ggml's own products.
void decode_q8_1(const std::byte* bytes, BlockValues& values) {
  values.scales[0] = Block{bytes}.half(0);
  std::memcpy(values.q, bytes + 4, 32);
}

// [d f32][256 int8][16 sums int16]
void decode_q8_k(const std::byte* bytes, BlockValues& values) {
  values.scales.fill(std::bit_cast<float>(Block{bytes}.u32(0)));
  std::memcpy(values.q, bytes + 4, 256);
}

void decode_q4_k(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  decode_k(block, block.from(16), values);
}

// Before the 4 bits, 32 bytes of fifth bits: bit g of byte i belongs to value i of group g.
void decode_q5_k(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  decode_k(block, block.from(48), values);
  const Block fifth_bits = block.from(16);
  for (size_t group = 0; group < 8; ++group) {
    int8_t* const __restrict q = values.q + group * 32;
    for (size_t i = 0; i < 32; ++i) q[i] = integer(static_cast<uint8_t>(q[i]) | fifth_bits.bit(i, group) << 4);
  }
}

// [128 bytes of low 4 bits][64 bytes of upper 2 bits][16 scales int8][d f16]: sixteen groups of 16, symmetric around
// 32. Each half of the block has 128 values in four quarters of 32: quarter k has its low bits in the bytes
// 32 * (k % 2) onwards, in their low halves for k < 2, and its upper bits at bit 2k.
void decode_q6_k(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  values.unit = block.half_bits(208);
  for (size_t group = 0; group < 16; ++group) values.scales[group] = static_cast<float>(block.i8(192 + group));
  const auto value = [](unsigned nibble, unsigned upper) { return integer(nibble | (upper & 3) << 4, 32); };
  for (size_t half = 0; half < 2; ++half) {
    const Block low = block.from(half * 64), upper = block.from(128 + half * 32);
    int8_t* const __restrict q = values.q + half * 128;
    for (size_t i = 0; i < 32; ++i) {
      q[i] = value(low.low(i), upper.u8(i));
      q[32 + i] = value(low.low(32 + i), upper.u8(i) >> 2);
      q[64 + i] = value(low.high(i), upper.u8(i) >> 4);
      q[96 + i] = value(low.high(32 + i), upper.u8(i) >> 6);
    }
  }
}

// [16 bytes of 4-bit scales and, above them, 4-bit offsets][64 bytes of 2 bits][d f16][dmin f16]: sixteen groups of 16.
void decode_q2_k(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  values.unit = block.half_bits(80);
  values.offset_unit = block.half_bits(82);
  for (size_t group = 0; group < 16; ++group) {
    values.scales[group] = static_cast<float>(block.low(group));
    values.offsets[group] = -static_cast<float>(block.high(group));
  }
  put_quarters(block.from(16), values.q);
}

// [32 bytes of third bits][64 bytes of 2 bits][12 bytes of scales][d f16]: sixteen groups of 16, symmetric around 4.
// Bit p of byte i of the third bits belongs to value i of the p-th 32 values. The scales have 6 bits, around 32: the
// low four of two scales are in one of eight bytes, the upper two of four scales in one of the last four.
void decode_q3_k(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  const Block scales = block.from(96);
  values.unit = block.half_bits(108);
  for (size_t group = 0; group < 16; ++group) {
    const unsigned low = group < 8 ? scales.low(group) : scales.high(group - 8);
    const unsigned upper = scales.u8(8 + group % 4) >> (group / 4 * 2) & 3;
    values.scales[group] = static_cast<float>(static_cast<int>(low | upper << 4) - 32);
  }
  put_quarters(block.from(32), values.q);
  for (size_t plane = 0; plane < 8; ++plane) {
    int8_t* const __restrict q = values.q + plane * 32;
    for (size_t i = 0; i < 32; ++i) q[i] = integer(static_cast<uint8_t>(q[i]) | block.bit(i, plane) << 2, 4);
  }
}

// [d f16][16 bytes of indices]
void decode_iq4_nl(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  values.scales[0] = block.half(0);
  look_up(block.from(2), kIq4, values.q);
}

// [d f16][upper 2 bits of the scales u16][4 bytes of their low 4 bits][128 bytes of indices]: eight groups of 32, with
// 6-bit scales around 32.
void decode_iq4_xs(const std::byte* bytes, BlockValues& values) {
  const Block block{bytes};
  values.unit = block.half_bits(0);
  for (size_t group = 0; group < 8; ++group) {
    const unsigned low = block.u8(4 + group / 2) >> (group % 2 * 4) & 15;
    const unsigned upper = block.u8(2 + group / 4) >> (group % 4 * 2) & 3;
    values.scales[group] = static_cast<float>(static_cast<int>(low | upper << 4) - 32);
    look_up(block.from(8 + group * 16), kIq4, values.q + group * 32);
  }
}

// [exponent u8][16 bytes of indices]: the scale is 2^(exponent - 127), of which the codebook has halves (OCP
// Microscaling Formats 1.0, section 5.4). Exponents whose largest value exceeds a float have no finite scale; nor has
// 255, which stands for NaN.
void decode_mxfp4(const std::byte* bytes, BlockValues& values) {
  constexpr unsigned kMax = 252;
  const Block block{bytes};
  const unsigned exponent = block.u8(0);
  const float half = exponent < 2 ? std::bit_cast<float>(0x00200000U << exponent)  // subnormal
                                  : std::bit_cast<float>((exponent - 1) << 23);
  values.scales[0] = exponent > kMax ? std::numeric_limits<float>::infinity() : half;
  look_up(block.from(1), kMxfp4, values.q);
}

}  // namespace quintet
