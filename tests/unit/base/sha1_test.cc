// SHA-1 against the examples of FIPS 180 and texts whose lengths straddle a block.

#include "base/hash.h"

#include <gtest/gtest.h>

#include <string>

namespace quintet::test {
namespace {

std::string hex(std::string_view text) {
  std::string digits;
  for (const std::byte byte : sha1(text)) {
    for (const unsigned shift : {4u, 0u}) digits += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> shift & 15];
  }
  return digits;
}

TEST(Sha1, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(hex(std::string(1000000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Sha1, PadsAtTheEndOfABlock) {
  EXPECT_EQ(hex(std::string(55, 'x')), "cef734ba81a024479e09eb5a75b6ddae62e6abf1");
  EXPECT_EQ(hex(std::string(56, 'x')), "901305367c259952f4e7af8323f480d59f81335b");
  EXPECT_EQ(hex(std::string(63, 'x')), "0ddc4e0cccd9a12850deb5abb0853a4425559fec");
  EXPECT_EQ(hex(std::string(64, 'x')), "bb2fa3ee7afb9f54c6dfb5d021f14b1ffe40c163");
  EXPECT_EQ(hex(std::string(65, 'x')), "78c741ddc482e4cdf8c474a0876347a0905b6233");
}

}  // namespace
}  // namespace quintet::test
