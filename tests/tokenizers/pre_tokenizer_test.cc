// Words as the regular expressions of the references cut them, branch by branch; equality with other programs on whole
// vocabularies is tested with byte-level BPE.

#include "tokenizers/pre_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tokenizers/byte_alphabet.h"

namespace quintet {
namespace {

using Words = std::vector<std::string>;

Words words(WordPattern pattern, std::string_view text) {
  Words words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = word_end(pattern, text, at);
    EXPECT_GT(end, at);
    if (end <= at) break;
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

TEST(PreTokenizer, Gpt2) {
  const auto cut = [](std::string_view text) { return words(WordPattern::gpt2, text); };
  EXPECT_EQ(cut("I'll we've it's I'M"), (Words{"I", "'ll", " we", "'ve", " it", "'s", " I", "'", "M"}));
  EXPECT_EQ(cut("'rex 'r 'lx"), (Words{"'re", "x", " '", "r", " '", "lx"}));
  EXPECT_EQ(cut("ab12cd 34"), (Words{"ab", "12", "cd", " 34"}));
  EXPECT_EQ(cut("a   b"), (Words{"a", "  ", " b"}));
  EXPECT_EQ(cut("a \n b\n"), (Words{"a", " \n", " b", "\n"}));
  EXPECT_EQ(cut("a\tb"), (Words{"a", "\t", "b"}));
  EXPECT_EQ(cut("a\u00A0b"), (Words{"a", "\u00A0", "b"}));
  EXPECT_EQ(cut(" !?x"), (Words{" !?", "x"}));
  EXPECT_EQ(cut("e\u0301\u00BD"), (Words{"e", "\u0301", "\u00BD"}));  // marks are no letters
  EXPECT_EQ(cut("  "), (Words{"  "}));
}

TEST(PreTokenizer, Llama3) {
  const auto cut = [](std::string_view text) { return words(WordPattern::llama3, text); };
  EXPECT_EQ(cut("I'LL it'S x'Re"), (Words{"I", "'LL", " it", "'S", " x", "'Re"}));
  EXPECT_EQ(cut("'\u017Fx"), (Words{"'\u017F", "x"}));  // a long s is an s where case is ignored
  EXPECT_EQ(cut("(ab) \tcd"), (Words{"(ab", ")", " ", "\tcd"}));
  EXPECT_EQ(cut("1234567 8"), (Words{"123", "456", "7", " ", "8"}));
  EXPECT_EQ(cut("!!\r\n\nx"), (Words{"!!\r\n\n", "x"}));
  EXPECT_EQ(cut("a \n  \n  b"), (Words{"a", " \n  \n", " ", " b"}));
  EXPECT_EQ(cut("a\n b"), (Words{"a", "\n", " b"}));
  EXPECT_EQ(cut("a   "), (Words{"a", "   "}));
  EXPECT_EQ(cut("a  1"), (Words{"a", " ", " ", "1"}));
  EXPECT_EQ(cut("\nab"), (Words{"\n", "ab"}));
}

TEST(PreTokenizer, Qwen2) {
  const auto cut = [](std::string_view text) { return words(WordPattern::qwen2, text); };
  EXPECT_EQ(cut("1234 8"), (Words{"1", "2", "3", "4", " ", "8"}));
  EXPECT_EQ(cut("I'LL (ab)\r\n\nx  y"), (Words{"I", "'LL", " (", "ab", ")\r\n\n", "x", " ", " y"}));
}

TEST(PreTokenizer, Qwen35) {
  const auto cut = [](std::string_view text) { return words(WordPattern::qwen35, text); };
  EXPECT_EQ(cut("e\u0301a 12"), (Words{"e\u0301a", " ", "1", "2"}));
  EXPECT_EQ(cut("!\u0301a"), (Words{"!\u0301a"}));
  EXPECT_EQ(cut("\u0915\u093F\u0924\u093E\u092C"), (Words{"\u0915\u093F\u0924\u093E\u092C"}));  // Hindi has Mc
}

TEST(PreTokenizer, Gpt4o) {
  const auto cut = [](std::string_view text) { return words(WordPattern::gpt4o, text); };
  EXPECT_EQ(cut("getHTMLElement"), (Words{"get", "HTMLElement"}));
  EXPECT_EQ(cut("fooBar FOO Foo's IT'S"), (Words{"foo", "Bar", " FOO", " Foo's", " IT'S"}));
  EXPECT_EQ(cut("1234567"), (Words{"123", "456", "7"}));
  EXPECT_EQ(cut("a://b/\n//c"), (Words{"a", "://", "b", "/\n//", "c"}));
  EXPECT_EQ(cut("AB\u4E2DC"), (Words{"AB\u4E2D", "C"}));  // U* backs off to the last caseless letter
  EXPECT_EQ(cut("\u0301AB"), (Words{"\u0301", "AB"}));    // a mark may be the optional character
  EXPECT_EQ(cut("\u01C5abc \u00C9t\u00E9"), (Words{"\u01C5abc", " \u00C9t\u00E9"}));
  EXPECT_EQ(cut("a  \n b  "), (Words{"a", "  \n", " b", "  "}));
}

TEST(PreTokenizer, Tekken) {
  const auto cut = [](std::string_view text) { return words(WordPattern::tekken, text); };
  EXPECT_EQ(cut("It's 123"), (Words{"It", "'s", " ", "1", "2", "3"}));
  EXPECT_EQ(cut("camelCase/\n"), (Words{"camel", "Case", "/\n"}));
}

TEST(PreTokenizer, StarCoder) {
  const auto cut = [](std::string_view text) { return words(WordPattern::starcoder, text); };
  EXPECT_EQ(cut("ab12 3"), (Words{"ab", "1", "2", " ", "3"}));
  EXPECT_EQ(cut("a  1"), (Words{"a", "  ", "1"}));  // what stands before a number is cut as if the text ended
  EXPECT_EQ(cut("\u00B2\u0663x's"), (Words{"\u00B2", "\u0663", "x", "'s"}));
}

TEST(PreTokenizer, PatternsHaveNames) {
  EXPECT_EQ(word_pattern_named("gpt2"), WordPattern::gpt2);
  EXPECT_EQ(word_pattern_named("llama3"), WordPattern::llama3);
  EXPECT_EQ(word_pattern_named("qwen2"), WordPattern::qwen2);
  EXPECT_EQ(word_pattern_named("starcoder"), WordPattern::starcoder);
  EXPECT_EQ(word_pattern_named("qwen35"), WordPattern::qwen35);
  EXPECT_EQ(word_pattern_named("gpt4o"), WordPattern::gpt4o);
  EXPECT_EQ(word_pattern_named("tekken"), WordPattern::tekken);
  EXPECT_FALSE(word_pattern_named("gpt-4o"));
}

// openai/gpt-2, encoder.py: printable bytes are the characters of their numbers, all others those from U+0100.
TEST(ByteAlphabet, HasALetterForEachByte) {
  char32_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    const char32_t letter = letter_of(static_cast<uint8_t>(byte));
    EXPECT_EQ(letter, printable ? byte : next++);
    EXPECT_EQ(byte_of(letter), byte);
  }
  for (const char32_t other : {char32_t{0x20}, char32_t{0xAD}, next, char32_t{0x2581}}) EXPECT_FALSE(byte_of(other));
}

TEST(ByteAlphabet, TextIsTakenAsAWhole) {
  std::string bytes = "x";
  EXPECT_TRUE(append_bytes_of("a\u0120\u010A", bytes));
  EXPECT_EQ(bytes, "xa \n");
  EXPECT_FALSE(append_bytes_of("a b", bytes));
  EXPECT_FALSE(append_bytes_of("a\xFF", bytes));
  EXPECT_EQ(bytes, "xa \n");
}

}  // namespace
}  // namespace quintet
