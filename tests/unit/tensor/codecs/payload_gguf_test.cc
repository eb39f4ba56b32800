// The block types of GGUF, against a second reader that follows ggml's definition value by value, and by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/byte_reader.h"
#include "base/half.h"
#include "tensor/block_types.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

int u8(const std::byte* at) { return std::to_integer<int>(*at); }
float half(const std::byte* at) { return f16_to_f32(static_cast<uint16_t>(u8(at) + 256 * u8(at + 1))); }

// The nibble of value i among 2n values that n bytes hold, first all low ones.
int nibble(const std::byte* bytes, int i, int n) { return i < n ? u8(bytes + i) % 16 : u8(bytes + i - n) / 16; }

int bit(const std::byte* bytes, int i) { return u8(bytes + i / 8) >> (i % 8) & 1; }

// The six bits of scale (or offset) `group`, as the K types pack them: q[0..3] and q[4..7] hold the first four scales
// and offsets, q[8..11] four bits each of the last four, whose upper two bits are the top ones of q[0..7].
int six_bits(const std::byte* q, int group, bool offset) {
  if (group < 4) return u8(q + group + (offset ? 4 : 0)) & 63;
  const int low = offset ? u8(q + group + 4) >> 4 : u8(q + group + 4) & 15;
  return low + 16 * (u8(q + group - (offset ? 0 : 4)) >> 6);
}

// ggml-common.h, kvalues_iq4nl; the values of FP4 (E2M1).
constexpr int kIq4[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
constexpr float kFp4[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6, 0, -0.5F, -1, -1.5F, -2, -3, -4, -6};

// Value i of a block.
float plain_value(Scheme scheme, const std::byte* b, int i) {
  const int group = i / 32;
  const int pair = i / 64 * 32;  // the bytes that a pair of groups shares
  const int in_half = i % 128;
  switch (scheme) {
    case Scheme::q4_0:
      return half(b) * static_cast<float>(nibble(b + 2, i, 16) - 8);
    case Scheme::q4_1:
      return half(b) * static_cast<float>(nibble(b + 4, i, 16)) + half(b + 2);
    case Scheme::q5_0:
      return half(b) * static_cast<float>(nibble(b + 6, i, 16) + 16 * bit(b + 2, i) - 16);
    case Scheme::q5_1:
      return half(b) * static_cast<float>(nibble(b + 8, i, 16) + 16 * bit(b + 4, i)) + half(b + 2);
    case Scheme::q8_0:
      return half(b) * static_cast<float>(static_cast<int8_t>(b[2 + i]));
    case Scheme::q4_k:
      return half(b) * static_cast<float>(six_bits(b + 4, group, false)) *
                 static_cast<float>(nibble(b + 16 + pair, i % 64, 32)) -
             half(b + 2) * static_cast<float>(six_bits(b + 4, group, true));
    case Scheme::q5_k:
      return half(b) * static_cast<float>(six_bits(b + 4, group, false)) *
                 static_cast<float>(nibble(b + 48 + pair, i % 64, 32) + 16 * (u8(b + 16 + i % 32) >> group & 1)) -
             half(b + 2) * static_cast<float>(six_bits(b + 4, group, true));
    case Scheme::q6_k: {
      const int low = nibble(b + 64 * (i / 128), in_half, 64);
      const int upper = u8(b + 128 + 32 * (i / 128) + i % 32) >> (in_half / 32 * 2) & 3;
      const float scale = half(b + 208) * static_cast<float>(static_cast<int8_t>(b[192 + i / 16]));
      return scale * static_cast<float>(low + 16 * upper - 32);
    }
    case Scheme::q2_k: {
      const int q = u8(b + 16 + 32 * (i / 128) + i % 32) >> (in_half / 32 * 2) & 3;
      const int parameters = u8(b + i / 16);
      return half(b + 80) * static_cast<float>(parameters % 16) * static_cast<float>(q) -
             half(b + 82) * static_cast<float>(parameters / 16);
    }
    case Scheme::q3_k: {
      const int low = u8(b + 32 + 32 * (i / 128) + i % 32) >> (in_half / 32 * 2) & 3;
      const int q = (u8(b + i % 32) >> (i / 32) & 1) == 1 ? low : low - 4;
      const std::byte* scales = b + 96;
      const int part = i / 16;
      const int six = nibble(scales, part, 8) + 16 * (u8(scales + 8 + part % 4) >> (part / 4 * 2) & 3);
      return half(b + 108) * static_cast<float>(six - 32) * static_cast<float>(q);
    }
    case Scheme::iq4_nl:
      return half(b) * static_cast<float>(kIq4[nibble(b + 2, i, 16)]);
    case Scheme::iq4_xs: {
      const int upper = (u8(b + 2) + 256 * u8(b + 3)) >> (2 * group) & 3;
      const int six = (u8(b + 4 + group / 2) >> (group % 2 * 4) & 15) + 16 * upper;
      return half(b) * static_cast<float>(six - 32) * static_cast<float>(kIq4[nibble(b + 8 + 16 * group, i % 32, 16)]);
    }
    case Scheme::q8_1:
      return half(b) * static_cast<float>(static_cast<int8_t>(b[4 + i]));
    case Scheme::q8_k:
      return load_le<float>({b, 4}, 0) * static_cast<float>(static_cast<int8_t>(b[4 + i]));
    case Scheme::mxfp4:
      return std::ldexp(kFp4[nibble(b + 1, i, 16)], u8(b) - 127) * (u8(b) > 252 ? INFINITY : 1.0F);
    default:
      return NAN;
  }
}

struct Type {
  Scheme scheme;
  int values;
  size_t bytes;
};

constexpr Type kTypes[] = {{Scheme::q4_0, 32, 18},   {Scheme::q4_1, 32, 20},   {Scheme::q5_0, 32, 22},
                           {Scheme::q5_1, 32, 24},   {Scheme::q8_0, 32, 34},   {Scheme::q4_k, 256, 144},
                           {Scheme::q5_k, 256, 176}, {Scheme::q6_k, 256, 210}, {Scheme::q2_k, 256, 84},
                           {Scheme::q3_k, 256, 110}, {Scheme::iq4_nl, 32, 18}, {Scheme::iq4_xs, 256, 136},
                           {Scheme::mxfp4, 32, 17},  {Scheme::q8_1, 32, 36},   {Scheme::q8_k, 256, 292}};

// Points of a grid, which payload_iq_test.cc compares with ggml's results.
bool is_of_grid(std::string_view name) { return name.starts_with("IQ") && !name.starts_with("IQ4"); }

TEST(GgufBlocks, HaveASecondReaderHere) {
  for (const BlockType& row : kBlockTypes) {
    if (row.codec != Codec::gguf || is_of_grid(row.name)) continue;
    const auto type = std::ranges::find(kTypes, row.scheme, &Type::scheme);
    ASSERT_NE(type, std::end(kTypes)) << row.name;
    EXPECT_EQ(row.blocks.values, type->values) << row.name;
    EXPECT_EQ(row.blocks.bytes, type->bytes) << row.name;
  }
}

TEST(GgufBlocks, RandomBlocksByTheDefinition) {
  std::mt19937 random(11);
  for (const Type& type : kTypes) {
    constexpr size_t kBlocks = 40;
    StoredTensor tensor = {.name = std::to_string(static_cast<int>(type.scheme)),
                           .quantization = {.scheme = type.scheme},
                           .elements = kBlocks * static_cast<uint64_t>(type.values),
                           .data_bytes = kBlocks * type.bytes};
    for (size_t i = 0; i < tensor.data_bytes; ++i) tensor.payload.push_back(static_cast<std::byte>(random()));
    std::vector<float> expected;
    for (size_t block = 0; block < kBlocks; ++block) {
      for (int i = 0; i < type.values; ++i) {
        expected.push_back(plain_value(type.scheme, tensor.payload.data() + block * type.bytes, i));
      }
    }
    expect_decoded(tensor, expected);
    EXPECT_EQ(payload_size(Dtype::f32, tensor.quantization, tensor.elements),
              (PayloadSize{.scales = 0, .data = tensor.data_bytes}));
    EXPECT_FALSE(payload_size(Dtype::f32, tensor.quantization, tensor.elements + 1));
    EXPECT_FALSE(make_decoder(Dtype::f32, tensor.quantization, 31, 0, nullptr));
  }
}

TEST(GgufBlocks, Q4_0ByHand) {
  StoredTensor tensor = {.quantization = {.scheme = Scheme::q4_0}, .elements = 32};
  tensor.payload = bytes_of_list({0x00, 0x40,  // d = 2
                                  0x80, 0x1F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF8});
  std::vector<float> expected(32, -16);
  expected[0] = -16;   // 0 - 8
  expected[16] = 0;    // 8 - 8
  expected[1] = 14;    // 15 - 8
  expected[17] = -14;  // 1 - 8
  expected[15] = 0;
  expected[31] = 14;
  expect_decoded(tensor, expected);
}

TEST(GgufBlocks, Q5_0ByHand) {
  StoredTensor tensor = {.quantization = {.scheme = Scheme::q5_0}, .elements = 32};
  tensor.payload.assign(22, std::byte{0});
  tensor.payload[1] = std::byte{0x3C};  // d = 1
  tensor.payload[2] = std::byte{0x02};  // the fifth bit of value 1
  tensor.payload[5] = std::byte{0x80};  // and of value 31
  tensor.payload[6 + 1] = std::byte{0x03};
  tensor.payload[6 + 15] = std::byte{0xF0};
  std::vector<float> expected(32, -16);
  expected[1] = 3;
  expected[31] = 15;
  expect_decoded(tensor, expected);
}

TEST(GgufBlocks, Q4_KByHand) {
  StoredTensor tensor = {.quantization = {.scheme = Scheme::q4_k}, .elements = 256};
  tensor.payload.assign(144, std::byte{0});
  tensor.payload[1] = std::byte{0x3C};        // d = 1
  tensor.payload[3] = std::byte{0x38};        // dmin = 0.5
  tensor.payload[4] = std::byte{0x42};        // scale 0 is 2; the upper bits of scale 4 are 1
  tensor.payload[8] = std::byte{0x03};        // offset 0 is 3
  tensor.payload[12] = std::byte{0x51};       // scale 4 is 1 + 16, offset 4 is 5
  tensor.payload[16] = std::byte{0x79};       // 9 for value 0, 7 for value 32
  tensor.payload[16 + 64] = std::byte{0x0A};  // 10 for value 128
  std::vector<float> expected(256, 0);
  for (size_t i = 0; i < 32; ++i) expected[i] = -1.5F;
  for (size_t i = 128; i < 160; ++i) expected[i] = -2.5F;
  expected[0] = 2 * 9 - 1.5F;
  expected[128] = 17 * 10 - 2.5F;
  expect_decoded(tensor, expected);
}

TEST(GgufBlocks, AreNotWritten) {
  for (const Type& type : kTypes) {
    const auto refused = make_encoder(Dtype::f32, {.scheme = type.scheme}, 256, 0);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::unsupported);
  }
}

}  // namespace
}  // namespace quintet::test
