// Normalization Form C against a part of Unicode's own test (tests/fixtures/unicode), and what every code point
// becomes.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/unicode.h"
#include "base/unicode_nfc.h"
#include "base/utf8.h"
#include "tests/tokenizers/fixtures.h"

namespace quintet {
namespace {

std::string nfc(std::string_view text) {
  static const NfcNormalizer normalizer;
  std::string out;
  normalizer.normalize(text, out);
  return out;
}

std::string utf8(char32_t c) {
  std::string text;
  append_utf8(c, text);
  return text;
}

// "0041 030A".
std::string characters(const std::string& field) {
  std::string text;
  for (size_t at = 0; at < field.size();) {
    size_t digits = 0;
    text += utf8(static_cast<char32_t>(std::stoul(field.substr(at), &digits, 16)));
    at += digits + 1;
  }
  return text;
}

TEST(Nfc, UnicodesOwnTests) {
  size_t count = 0;
  std::string all_sources, all_normalized;
  for (const std::string& line : test::lines_of(test::read_text_fixture("unicode/normalization.txt"))) {
    const size_t first = line.find(';'), second = line.find(';', first + 1);
    const std::string source = characters(line.substr(0, first));
    const std::string composed = characters(line.substr(first + 1, second - first - 1));
    const std::string decomposed = characters(line.substr(second + 1));
    EXPECT_EQ(nfc(source), composed) << line;
    EXPECT_EQ(nfc(composed), composed) << line;
    EXPECT_EQ(nfc(decomposed), composed) << line;
    all_sources += "a" + source + "z" + source + ".";
    all_normalized += nfc("a" + source + "z" + source + ".");
    ++count;
  }
  EXPECT_EQ(count, 816);
  EXPECT_EQ(nfc(all_sources), all_normalized);  // one text or many
}

// 1120 code points of Unicode 15.0 are not in NFC by themselves (counted with ICU's normalizer). All others stay.
TEST(Nfc, EveryCodePoint) {
  size_t changed = 0;
  for (char32_t c = 0; c <= kLastCodePoint; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const std::string text = utf8(c);
    const std::string normalized = nfc(text);
    changed += normalized != text;
    char32_t parts[kMaxDecomposition];
    const size_t size = decompose(c, parts);
    std::string decomposed;
    for (size_t i = 0; i < size; ++i) decomposed += utf8(parts[i]);
    ASSERT_EQ(nfc(decomposed), normalized) << static_cast<uint32_t>(c);
    ASSERT_EQ(nfc(normalized), normalized) << static_cast<uint32_t>(c);
    if (NfcNormalizer::is_surely_normalized(text)) {
      ASSERT_EQ(normalized, text) << static_cast<uint32_t>(c);
    }
  }
  EXPECT_EQ(changed, 1120);
}

TEST(Nfc, KnownTexts) {
  EXPECT_EQ(nfc(""), "");
  EXPECT_EQ(nfc("plain, déjà"), "plain, déjà");
  EXPECT_EQ(nfc("e\u0301 a\u0323\u0302"), "\u00E9 \u1EAD");
  EXPECT_EQ(nfc("a\u0302\u0323"), "\u1EAD");        // in canonical order first
  EXPECT_EQ(nfc("\u1112\u1161\u11AB"), "\uD55C");   // Hangul
  EXPECT_EQ(nfc("\uD558\u11AB"), "\uD55C");         // a syllable and what ends it
  EXPECT_EQ(nfc("\u212B\u2126"), "\u00C5\u03A9");   // signs that are letters
  EXPECT_EQ(nfc("\u0958"), "\u0915\u093C");         // excluded from composition
  EXPECT_EQ(nfc("\u0301e\u0301"), "\u0301\u00E9");  // a mark at the beginning stays
  EXPECT_FALSE(NfcNormalizer::is_surely_normalized("e\u0301"));
  EXPECT_TRUE(NfcNormalizer::is_surely_normalized("\u00E9\u02FF"));
}

// In quadratic time, this would take minutes.
TEST(Nfc, ManyMarks) {
  std::string text = "a";
  for (int i = 0; i < 100000; ++i) text += i % 2 ? "\u0302" : "\u0323";
  const std::string normalized = nfc(text);
  EXPECT_EQ(normalized.substr(0, 3), "\u1EAD");  // one mark of each class
  EXPECT_EQ(nfc(normalized), normalized);
}

}  // namespace
}  // namespace quintet
