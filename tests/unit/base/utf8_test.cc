#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quintet {
namespace {

std::string encoded(char32_t c) {
  std::string text;
  append_utf8(c, text);
  return text;
}

std::u32string decoded(std::string_view text) {
  std::u32string out;
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = decode_utf8(text, at);
    out += next.code_point;
    at += next.bytes;
  }
  return out;
}

TEST(Utf8, EveryCodePointSurvivesTheRoundTrip) {
  for (char32_t c = 0; c <= kLastCodePoint; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string text = encoded(c);
    ASSERT_EQ(text.size(), c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
    const DecodedCodePoint back = decode_utf8(text, 0);
    ASSERT_EQ(back.code_point, c);
    ASSERT_EQ(back.bytes, text.size());
    ASSERT_TRUE(back.valid);
    ASSERT_EQ(find_invalid_utf8(text), std::nullopt);
  }
}

TEST(Utf8, WritesKnownBytes) {
  EXPECT_EQ(encoded(U'A'), "A");
  EXPECT_EQ(encoded(0xE9), "\xC3\xA9");
  EXPECT_EQ(encoded(0x20AC), "\xE2\x82\xAC");
  EXPECT_EQ(encoded(0x1F600), "\xF0\x9F\x98\x80");
  EXPECT_EQ(encoded(0xD800), "\xEF\xBF\xBD");  // what cannot be written
  EXPECT_EQ(encoded(0x110000), "\xEF\xBF\xBD");
}

// Every sequence of one and two bytes, and of three beginning with E0..EF, is valid exactly where
// it is the encoding of something.
TEST(Utf8, AcceptsNoOtherForm) {
  std::vector<bool> two(1 << 16);
  std::vector<bool> three(1 << 24);
  for (char32_t c = 0x80; c < 0x10000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    size_t key = 0;
    for (const char byte : encoded(c)) key = key << 8 | static_cast<uint8_t>(byte);
    (c < 0x800 ? two : three)[key] = true;
  }
  for (unsigned key = 0x8000; key < 0x10000; ++key) {
    const char bytes[] = {static_cast<char>(key >> 8), static_cast<char>(key)};
    ASSERT_EQ(!find_invalid_utf8({bytes, 2}), two[key]) << std::hex << key;
  }
  for (unsigned key = 0xE00000; key < 0xF00000; ++key) {
    const char bytes[] = {static_cast<char>(key >> 16), static_cast<char>(key >> 8), static_cast<char>(key)};
    ASSERT_EQ(!find_invalid_utf8({bytes, 3}), three[key]) << std::hex << key;
  }
  for (unsigned lead = 0x80; lead < 0x100; ++lead) {
    const char byte = static_cast<char>(lead);
    ASSERT_EQ(find_invalid_utf8({&byte, 1}), 0);
  }
}

TEST(Utf8, BoundsSequencesOfFourBytes) {
  EXPECT_EQ(find_invalid_utf8("\xF0\x8F\xBF\xBF"), 0);  // overlong
  EXPECT_EQ(find_invalid_utf8("\xF0\x90\x80\x80"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("\xF4\x8F\xBF\xBF"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0);  // beyond U+10FFFF
  EXPECT_EQ(find_invalid_utf8("\xF5\x80\x80\x80"), 0);
}

TEST(Utf8, ReportsWhereTextIsIllFormed) {
  const std::string good = "twenty bytes of ASCII \u20ac";
  for (size_t length = 0; length < good.size(); ++length) {
    if (length > 22) {
      EXPECT_EQ(find_invalid_utf8(good.substr(0, length)), 22);  // cut inside the last character
    } else {
      EXPECT_EQ(find_invalid_utf8(good.substr(0, length)), std::nullopt);
      EXPECT_EQ(find_invalid_utf8(good.substr(0, length) + "\xFF" + good), length);
    }
  }
}

// The examples of the Unicode Standard, section 3.9, tables 3-8 to 3-11.
TEST(Utf8, ReplacesMaximalSubparts) {
  EXPECT_EQ(decoded("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), U"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(decoded("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), U"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(decoded("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), U"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB");
  EXPECT_EQ(decoded("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), U"\uFFFD\uFFFD\uFFFD\uFFFDA");
}

}  // namespace
}  // namespace quintet
