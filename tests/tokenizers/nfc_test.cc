// Normalization Forms C, KC and KD against a part of Unicode's own test (tests/fixtures/unicode), and what every code
// point becomes.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/unicode/compatibility.h"
#include "base/unicode/nfc.h"
#include "base/unicode/properties.h"
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

std::string compatible(std::string_view text) {
  std::string out;
  append_compatible(text, out);
  return out;
}

std::string nfd(std::string_view text) {
  std::string out;
  append_nfd(text, out);
  return out;
}

TEST(Nfc, UnicodesOwnTests) {
  size_t count = 0;
  std::string all_sources, all_normalized;
  for (const std::string& line : test::lines_of(test::read_text_fixture("unicode/normalization.txt"))) {
    std::vector<std::string> forms;  // source, NFC, NFD, NFKC, NFKD
    for (size_t at = 0; at <= line.size();) {
      const size_t end = std::min(line.find(';', at), line.size());
      forms.push_back(characters(line.substr(at, end - at)));
      at = end + 1;
    }
    ASSERT_EQ(forms.size(), 5u);
    for (size_t i = 0; i < forms.size(); ++i) {
      if (i < 3) {
        EXPECT_EQ(nfc(forms[i]), forms[1]) << line;
        EXPECT_EQ(nfd(forms[i]), forms[2]) << line;
      }
      EXPECT_EQ(nfc(compatible(forms[i])), forms[3]) << line;
      EXPECT_EQ(nfd(compatible(forms[i])), forms[4]) << line;
    }
    all_sources += "a" + forms[0] + "z" + forms[0] + ".";
    all_normalized += nfc("a" + forms[0] + "z" + forms[0] + ".");
    ++count;
  }
  EXPECT_EQ(count, 975);
  EXPECT_EQ(nfc(all_sources), all_normalized);  // one text or many
}

// In Unicode 9.0, 1120 code points are not in NFC by themselves, and 4794 not in NFKC (counted with ICU's normalizer).
// All others stay.
TEST(Nfc, EveryCodePoint) {
  size_t changed = 0, changed_compatibly = 0;
  for (char32_t c = 0; c <= kLastCodePoint; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const std::string text = utf8(c);
    const std::string normalized = nfc(text);
    changed += normalized != text;
    changed_compatibly += nfc(compatible(text)) != text;
    if (!may_decompose_compatibly(text)) {
      ASSERT_EQ(compatible(text), text);
    }
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
  EXPECT_EQ(changed_compatibly, 4794);
}

TEST(Nfc, LaterCharactersAreLeftAlone) {
  EXPECT_EQ(nfc("\U00011935\U00011930"), "\U00011935\U00011930");  // of 13.0
  EXPECT_EQ(compatible("\u32FF\U0001FBF0"), "\u32FF\U0001FBF0");   // of 12.1 and 13.0
  EXPECT_EQ(nfd("\u1DF7\u0485"), "\u1DF7\u0485");                  // a mark of 14.0 has no class
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
