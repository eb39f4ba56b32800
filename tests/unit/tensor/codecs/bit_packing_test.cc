#include "tensor/codecs/bit_packing.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

// Bit by bit, by the definition: value i has the bits i * bits onwards of a stream that begins in the low bit of byte
// 0.
int plain_value(const std::vector<std::byte>& packed, unsigned bits, size_t i) {
  int value = 0;
  for (unsigned b = 0; b < bits; ++b) {
    const size_t at = i * bits + b;
    const int bit = std::to_integer<int>(packed[at / 8] >> (at % 8)) & 1;
    value += (b == bits - 1 ? -bit : bit) << b;
  }
  return value;
}

TEST(BitPacking, EveryLengthPacksAndUnpacksByTheDefinition) {
  for (const unsigned bits : {4u, 5u, 8u}) {
    const int lowest = -(1 << (bits - 1));
    for (size_t count = 0; count < 70; ++count) {
      std::vector<int8_t> q(count);
      for (size_t i = 0; i < count; ++i) q[i] = static_cast<int8_t>(lowest + static_cast<int>(i * 37 % (1u << bits)));
      std::vector<std::byte> packed(packed_bytes(bits, count));
      EXPECT_EQ(packed.size(), (count * bits + 7) / 8);
      pack(bits, q, packed.data());
      std::vector<float> values(count);
      unpack(bits, packed.data(), 0.5F, values);
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(plain_value(packed, bits, i), q[i]) << bits << ' ' << count << ' ' << i;
        ASSERT_EQ(values[i], static_cast<float>(q[i]) * 0.5F) << bits << ' ' << count << ' ' << i;
      }
    }
  }
}

TEST(BitPacking, ByHand) {
  std::vector<std::byte> packed(2);
  pack(4, std::vector<int8_t>{1, -2, -8}, packed.data());
  EXPECT_EQ(packed, bytes_of_list({0xE1, 0x08}));
  packed.assign(2, std::byte{0});
  pack(5, std::vector<int8_t>{-16, -2, 1}, packed.data());
  EXPECT_EQ(packed, bytes_of_list({0xD0, 0x07}));
}

}  // namespace
}  // namespace quintet::test
