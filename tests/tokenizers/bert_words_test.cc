#include "tokenizers/wordpiece/bert_words.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "tests/tokenizers/fixtures.h"

namespace quintet {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Words words;
  BertWords reader(text);
  while (const BertWord* word = reader.next()) {
    words.push_back(word->too_long() ? "(too long)" : std::string(word->text()));
  }
  return words;
}

std::string utf8(char32_t c) {
  std::string text;
  append_utf8(c, text);
  return text;
}

// The reference's result for one character: code_points.txt, and arithmetic for Hangul.
struct Treatment {
  std::string kind = "letter";
  std::string image;
};

Words expected_words(const Treatment& treatment, const std::string& before, const std::string& after) {
  Words words;
  if (treatment.kind == "removed") words = {before + after};
  if (treatment.kind == "space") words = {before, after};
  if (treatment.kind == "alone") words = {before, treatment.image, after};
  if (treatment.kind == "letter") words = {before + treatment.image + after};
  std::erase(words, "");
  return words;
}

// Lines of `first..last kind`, and where the character does not stand for itself, ` code points`.
std::map<char32_t, Treatment> read_treatments() {
  std::map<char32_t, Treatment> treatments;
  for (const std::string& line :
       test::lines_of(test::read_text_fixture("tokenizers/bert-base-uncased/code_points.txt"))) {
    char* at = nullptr;
    const char32_t first = static_cast<char32_t>(std::strtoul(line.c_str(), &at, 16));
    const char32_t last = static_cast<char32_t>(std::strtoul(at + 2, &at, 16));
    const std::string rest = at + 1;
    const std::string kind = rest.substr(0, rest.find(' '));
    std::string image;
    for (size_t gap = rest.find(' '); gap != rest.npos; gap = rest.find(' ', gap + 1)) {
      append_utf8(static_cast<char32_t>(std::strtoul(rest.c_str() + gap, nullptr, 16)), image);
    }
    for (char32_t c = first; c <= last; ++c) treatments[c] = {kind, rest == "alone" ? utf8(c) : image};
  }
  return treatments;
}

void add_hangul(std::map<char32_t, Treatment>& treatments) {
  char32_t syllable = 0xAC00;
  for (char32_t leading = 0x1100; leading <= 0x1112; ++leading) {
    for (char32_t vowel = 0x1161; vowel <= 0x1175; ++vowel) {
      for (char32_t trailing = 0x11A7; trailing <= 0x11C2; ++trailing) {
        const std::string end = trailing == 0x11A7 ? "" : utf8(trailing);
        treatments[syllable++] = {"letter", utf8(leading) + utf8(vowel) + end};
      }
    }
  }
}

TEST(BertWords, TreatsEveryCodePointAsTheReferenceDoes) {
  auto treatments = read_treatments();
  add_hangul(treatments);
  for (char32_t c = 0; c <= kLastCodePoint; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const auto found = treatments.find(c);
    const Treatment treatment = found == treatments.end() ? Treatment{"letter", utf8(c)} : found->second;
    ASSERT_EQ(words_of("a" + utf8(c) + "b"), expected_words(treatment, "a", "b")) << std::hex << uint32_t{c};
    ASSERT_EQ(words_of(utf8(c)), expected_words(treatment, "", "")) << std::hex << uint32_t{c};
  }
}

TEST(BertWords, SplitsRandomTextsAsTheReferenceDoes) {
  const Json cases = test::read_json_fixture("tokenizers/bert-base-uncased/words.json");
  ASSERT_EQ(cases.as_array()->size(), 600);
  for (const Json& each : *cases.as_array()) {
    const std::string& text = *each.as_array()->at(0).as_string();
    Words expected;
    for (const Json& word : *each.as_array()->at(1).as_array()) expected.push_back(*word.as_string());
    EXPECT_EQ(words_of(text), expected) << text;
  }
}

TEST(BertWords, SortsMarksIntoCanonicalOrder) {
  // U+302E (class 224) and U+1B44 (class 9) are marks that stay. Marks of one class keep their
  // order.
  EXPECT_EQ(words_of("a\u302e\u1b44"), Words{"a\u1b44\u302e"});
  EXPECT_EQ(words_of("a\u302f\u302e\u1b44b"), Words{"a\u1b44\u302f\u302eb"});
  // Characters that are dropped or cleaned away do not separate them; a character of class 0 does.
  EXPECT_EQ(words_of("a\u302e\u0301\u1b44"), Words{"a\u1b44\u302e"});
  EXPECT_EQ(words_of("a\u302e\u200d\u1b44"), Words{"a\u1b44\u302e"});
  EXPECT_EQ(words_of("a\u302ex\u1b44"), Words{"a\u302ex\u1b44"});
  EXPECT_EQ(words_of("\u4f60\u302e\u1b44"), (Words{"\u4f60", "\u1b44\u302e"}));
}

TEST(BertWords, LowercasesLetterByLetter) { EXPECT_EQ(words_of("ΣΑΣ İSTANBUL ẞ"), (Words{"σασ", "istanbul", "ß"})); }

TEST(BertWords, KnowsTooLongWords) {
  const std::string hundred(100, 'x');
  EXPECT_EQ(words_of(hundred + " " + hundred + "x y"), (Words{hundred, "(too long)", "y"}));
  std::string marks;  // counted while they wait
  for (int i = 0; i < 101; ++i) marks += "\u302e";
  EXPECT_EQ(words_of(marks), Words{"(too long)"});
  EXPECT_EQ(words_of(marks.substr(3)), Words{marks.substr(3)});
}

}  // namespace
}  // namespace quintet
