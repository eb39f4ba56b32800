// CRC-32 and FNV-1a against published values and against the definition, bit by bit.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/hash.h"

namespace quintet {
namespace {

uint32_t crc_by_definition(Bytes bytes) {
  uint32_t crc = 0xFFFFFFFF;
  for (const std::byte byte : bytes) {
    crc ^= static_cast<uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0u);
  }
  return ~crc;
}

std::vector<std::byte> random_bytes(size_t count) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(Crc32, KnownValues) {
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(crc32(as_bytes("123456789")), 0xCBF43926u);  // the check value of the CRC catalogue
  EXPECT_EQ(crc32(as_bytes("a")), 0xE8B7BE43u);
  EXPECT_EQ(crc32(as_bytes("The quick brown fox jumps over the lazy dog")), 0x414FA339u);
}

TEST(Crc32, EveryLengthAndStart) {
  const auto bytes = random_bytes(100);
  for (size_t begin = 0; begin < 20; ++begin) {
    for (size_t length = 0; begin + length <= bytes.size(); ++length) {
      const Bytes part = Bytes(bytes).subspan(begin, length);
      EXPECT_EQ(crc32(part), crc_by_definition(part)) << begin << " " << length;
    }
  }
}

TEST(Crc32, PiecesGiveTheWhole) {
  const auto bytes = random_bytes(70);
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    Crc32 crc;
    crc.update(Bytes(bytes).first(cut));
    crc.update(Bytes(bytes).subspan(cut));
    EXPECT_EQ(crc.value(), crc32(bytes));
  }
}

TEST(Crc32, CombinedFromTheCrcsOfTwoParts) {
  const auto bytes = random_bytes(1000);
  for (const size_t cut : {0u, 1u, 7u, 64u, 500u, 999u, 1000u}) {
    const Bytes a = Bytes(bytes).first(cut);
    const Bytes b = Bytes(bytes).subspan(cut);
    EXPECT_EQ(crc32_combine(crc32(a), crc32(b), b.size()), crc32(bytes)) << cut;
  }
}

TEST(Crc32, CombinedWithMoreZerosThanOneCouldWrite) {
  // 2^32 - 1 is the order of x modulo the polynomial: that many bytes of zeros, eight times over, change nothing.
  constexpr uint64_t kCycle = 0xFFFFFFFF;
  EXPECT_EQ(crc32_combine(0xCBF43926, 0, kCycle), 0xCBF43926u);
}

// From the authors' page, http://www.isthe.com/chongo/tech/comp/fnv/.
TEST(Fnv1a, KnownValues) {
  EXPECT_EQ(fnv1a_32(""), 0x811C9DC5u);
  EXPECT_EQ(fnv1a_32("a"), 0xE40C292Cu);
  EXPECT_EQ(fnv1a_32("foobar"), 0xBF9CF968u);
  EXPECT_EQ(fnv1a_64(""), 0xCBF29CE484222325u);
  EXPECT_EQ(fnv1a_64("a"), 0xAF63DC4C8601EC8Cu);
  EXPECT_EQ(fnv1a_64("foobar"), 0x85944171F73967E8u);
}

}  // namespace
}  // namespace quintet
