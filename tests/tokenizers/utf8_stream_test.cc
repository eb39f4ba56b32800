#include "tokenizers/utf8_stream.h"

#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"

namespace quintet {
namespace {

TEST(Utf8Stream, HoldsBackIncompleteSequences) {
  Utf8Stream stream;
  EXPECT_EQ(stream.push("a\xF0\x9F"), "a");
  EXPECT_EQ(stream.push("\x98"), "");
  EXPECT_EQ(stream.push("\x80"), "\U0001F600");
  EXPECT_EQ(stream.push("\xC3"), "");
  EXPECT_EQ(stream.push("\xC3"), "\uFFFD");
  EXPECT_EQ(stream.push("x"), "\uFFFDx");
  EXPECT_EQ(stream.finish(), "");
}

// Bytes that can never become a character are reported at once. The numbers of U+FFFD are those of the WHATWG Encoding
// Standard's decoder.
TEST(Utf8Stream, ReplacesInvalidSequences) {
  struct Case {
    std::string bytes, now, at_end;
  };
  const std::string r = "\uFFFD";
  const Case cases[] = {{"\x80", r, ""},
                        {"\xFF", r, ""},
                        {"\xC0\x80", r + r, ""},
                        {"\xE0\x80", r + r, ""},
                        {"\xED\xA0", r + r, ""},
                        {"\xF0\x8F", r + r, ""},
                        {"\xF4\x90", r + r, ""},
                        {"\xF5", r, ""},
                        {"\xE0\xA0", "", r},
                        {"\xED\x9F", "", r},
                        {"\xF0\x90\x80", "", r},
                        {"\xF4\x8F\xBF", "", r},
                        {"\xE2\x82"
                         "A",
                         r + "A", ""},
                        {"\xF0\x9F\x98\xC3", r, r}};
  for (const Case& each : cases) {
    Utf8Stream stream;
    EXPECT_EQ(stream.push(each.bytes), each.now);
    EXPECT_EQ(stream.finish(), each.at_end);
    EXPECT_EQ(stream.finish(), "");
  }
}

std::string decoded_at_once(const std::string& bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const auto next = decode_utf8(bytes, at);
    append_utf8(next.code_point, text);
    at += next.bytes;
  }
  return text;
}

TEST(Utf8Stream, AnyDivisionGivesTheSame) {
  std::mt19937 random(6);
  constexpr unsigned char kBytes[] = {'a', 0x80, 0xA0, 0xBF, 0x90, 0xC3, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0x8F, 0xFF};
  for (int round = 0; round < 5000; ++round) {
    std::string bytes;
    for (size_t left = random() % 12; left > 0; --left) {
      bytes += static_cast<char>(kBytes[random() % std::size(kBytes)]);
    }
    Utf8Stream stream;
    std::string text;
    for (size_t at = 0; at < bytes.size();) {
      const size_t size = 1 + random() % 3;
      const std::string piece = stream.push(std::string_view(bytes).substr(at, size));
      EXPECT_FALSE(find_invalid_utf8(piece));
      text += piece;
      at += size;
    }
    text += stream.finish();
    EXPECT_EQ(text, decoded_at_once(bytes));
  }
}

}  // namespace
}  // namespace quintet
