#include "tensor/gguf_blocks.h"

#include <algorithm>

#include "base/checked.h"
#include "base/half.h"
#include "tensor/piecewise_decoder.h"

namespace quintet {
namespace {

// A block's bytes, read by offset. Unaligned, little-endian.
struct Block {
  const std::byte* at;

  unsigned u8(size_t i) const { return std::to_integer<unsigned>(at[i]); }
  int i8(size_t i) const { return static_cast<int8_t>(at[i]); }
  unsigned low(size_t i) const { return u8(i) & 15; }
  unsigned high(size_t i) const { return u8(i) >> 4; }
  unsigned bit(size_t i, size_t n) const { return u8(i) >> n & 1; }
  uint32_t u32(size_t i) const { return u8(i) | u8(i + 1) << 8 | u8(i + 2) << 16 | u8(i + 3) << 24; }
  float half(size_t i) const { return f16_to_f32(static_cast<uint16_t>(u8(i) | u8(i + 1) << 8)); }
};

float number(unsigned value) { return static_cast<float>(value); }
float number(int value) { return static_cast<float>(value); }

// Types 0 and 1: 32 values, value i in the low half of byte i, value i + 16 in the high half; a fifth bit in a field
// of 32 bits of its own. Type 0 is symmetric around 8 or 16, type 1 has a minimum.

// [d f16][16 bytes of 4 bits]
void decode_q4_0(Block block, float* out) {
  const float d = block.half(0);
  for (size_t i = 0; i < 16; ++i) {
    out[i] = number(static_cast<int>(block.low(2 + i)) - 8) * d;
    out[i + 16] = number(static_cast<int>(block.high(2 + i)) - 8) * d;
  }
}

// [d f16][min f16][16 bytes of 4 bits]
void decode_q4_1(Block block, float* out) {
  const float d = block.half(0);
  const float min = block.half(2);
  for (size_t i = 0; i < 16; ++i) {
    out[i] = number(block.low(4 + i)) * d + min;
    out[i + 16] = number(block.high(4 + i)) * d + min;
  }
}

// [d f16][32 fifth bits][16 bytes of 4 bits]
void decode_q5_0(Block block, float* out) {
  const float d = block.half(0);
  const uint32_t fifth = block.u32(2);
  for (size_t i = 0; i < 16; ++i) {
    const unsigned first = block.low(6 + i) | (fifth >> i & 1) << 4;
    const unsigned second = block.high(6 + i) | (fifth >> (i + 16) & 1) << 4;
    out[i] = number(static_cast<int>(first) - 16) * d;
    out[i + 16] = number(static_cast<int>(second) - 16) * d;
  }
}

// [d f16][min f16][32 fifth bits][16 bytes of 4 bits]
void decode_q5_1(Block block, float* out) {
  const float d = block.half(0);
  const float min = block.half(2);
  const uint32_t fifth = block.u32(4);
  for (size_t i = 0; i < 16; ++i) {
    const unsigned first = block.low(8 + i) | (fifth >> i & 1) << 4;
    const unsigned second = block.high(8 + i) | (fifth >> (i + 16) & 1) << 4;
    out[i] = number(first) * d + min;
    out[i + 16] = number(second) * d + min;
  }
}

// [d f16][32 int8]
void decode_q8_0(Block block, float* out) {
  const float d = block.half(0);
  for (size_t i = 0; i < 32; ++i) out[i] = number(block.i8(2 + i)) * d;
}

// The K types: 256 values whose groups have scales of their own, in units of the block's d.

// Twelve bytes hold eight scales and eight minimums of 6 bits: those of the groups 0 to 3 in bytes of their own, of
// the groups 4 to 7 their low four bits together in a byte, the upper two above the others' six.
struct GroupScale {
  unsigned scale;
  unsigned min;
};

GroupScale group_scale(Block scales, size_t group) {
  if (group < 4) return {.scale = scales.u8(group) & 63, .min = scales.u8(group + 4) & 63};
  return {.scale = scales.low(group + 4) | scales.u8(group - 4) >> 6 << 4,
          .min = scales.high(group + 4) | scales.u8(group) >> 6 << 4};
}

// [d f16][dmin f16][12 bytes of scales][128 bytes of 4 bits]: eight groups of 32; two groups share 32 bytes, the first
// in their low halves. With `fifth`, 32 bytes of fifth bits stand in front of those: bit g of byte i belongs to value i
// of group g.
template <bool fifth>
void decode_k(Block block, float* out) {
  const float d = block.half(0);
  const float dmin = block.half(2);
  constexpr size_t kFifthBits = 16;
  constexpr size_t kNibbles = fifth ? 48 : 16;
  for (size_t group = 0; group < 8; ++group, out += 32) {
    const GroupScale parameters = group_scale({block.at + 4}, group);
    const float scale = d * number(parameters.scale);
    const float min = dmin * number(parameters.min);
    const size_t nibbles = kNibbles + group / 2 * 32;
    for (size_t i = 0; i < 32; ++i) {
      unsigned q = group % 2 == 0 ? block.low(nibbles + i) : block.high(nibbles + i);
      if constexpr (fifth) q |= block.bit(kFifthBits + i, group) << 4;
      out[i] = scale * number(q) - min;
    }
  }
}

// [128 bytes of low 4 bits][64 bytes of upper 2 bits][16 scales int8][d f16]: sixteen groups of 16, symmetric around
// 32. Each half of the block has 128 values in four quarters of 32: quarter k has its low bits in the bytes
// 32 * (k % 2) onwards, in their low halves for k < 2, and its upper bits at bit 2k.
void decode_q6_k(Block block, float* out) {
  const float d = block.half(208);
  for (size_t group = 0; group < 16; ++group, out += 16) {
    const size_t half = group / 8;
    const size_t quarter = group / 2 % 4;
    const size_t low = half * 64 + quarter % 2 * 32 + group % 2 * 16;
    const size_t upper = 128 + half * 32 + group % 2 * 16;
    const float scale = d * number(block.i8(192 + group));
    for (size_t i = 0; i < 16; ++i) {
      const unsigned nibble = block.u8(low + i) >> quarter / 2 * 4 & 15;
      const unsigned q = nibble | (block.u8(upper + i) >> 2 * quarter & 3) << 4;
      out[i] = scale * number(static_cast<int>(q) - 32);
    }
  }
}

struct BlockType {
  size_t values;
  size_t bytes;
  void (*decode)(Block block, float* out);
};

BlockType type_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::q4_0:
      return {32, 18, decode_q4_0};
    case Scheme::q4_1:
      return {32, 20, decode_q4_1};
    case Scheme::q5_0:
      return {32, 22, decode_q5_0};
    case Scheme::q5_1:
      return {32, 24, decode_q5_1};
    case Scheme::q8_0:
      return {32, 34, decode_q8_0};
    case Scheme::q4_k:
      return {256, 144, decode_k<false>};
    case Scheme::q5_k:
      return {256, 176, decode_k<true>};
    default:
      return {256, 210, decode_q6_k};
  }
}

class GgufDecoder final : public PiecewiseDecoder {
 public:
  GgufDecoder(Scheme scheme, uint64_t elements) : type_(type_of(scheme)), blocks_left_(elements / type_.values) {}

 protected:
  size_t step_bytes() const override { return blocks_left_ == 0 ? 0 : type_.bytes; }

  Result<size_t> decode(Bytes bytes, std::vector<float>& values) override {
    const size_t blocks = static_cast<size_t>(std::min<uint64_t>(bytes.size() / type_.bytes, blocks_left_));
    float* out = append(values, blocks * type_.values).data();
    for (size_t i = 0; i < blocks; ++i) type_.decode({bytes.data() + i * type_.bytes}, out + i * type_.values);
    blocks_left_ -= blocks;
    return blocks * type_.bytes;
  }

 private:
  BlockType type_;
  uint64_t blocks_left_;
};

}  // namespace

std::optional<PayloadSize> gguf_payload_size(Scheme scheme, uint64_t elements) {
  const BlockType type = type_of(scheme);
  if (elements % type.values != 0) return std::nullopt;
  const std::optional<uint64_t> bytes = checked_mul(elements / type.values, type.bytes);
  if (!bytes) return std::nullopt;
  return PayloadSize{.scales = 0, .data = *bytes};
}

std::unique_ptr<PayloadDecoder> make_gguf_decoder(Scheme scheme, uint64_t elements) {
  return std::make_unique<GgufDecoder>(scheme, elements);
}

}  // namespace quintet
