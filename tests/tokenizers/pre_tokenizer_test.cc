// Words as the regular expressions of the references cut them, branch by branch; equality with other programs on whole
// vocabularies is tested with byte-level BPE.

#include "tokenizers/pre_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tokenizers/byte_level_fixtures.h"
#include "tokenizers/bpe/byte_alphabet.h"

namespace quintet::test {
namespace {

using Words = std::vector<std::string>;

Words words(const PreTokenizer& pre_tokenizer, std::string_view text) {
  Words words;
  const Status status = pre_tokenizer.for_each_word(text, [&](std::string_view word) { words.emplace_back(word); });
  EXPECT_TRUE(status) << status.error().detail;
  return words;
}

TEST(PreTokenizer, Gpt2) {
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("gpt2"), text); };
  EXPECT_EQ(cut("I'll we've it's I'M"), (Words{"I", "'ll", " we", "'ve", " it", "'s", " I", "'", "M"}));
  EXPECT_EQ(cut("'rex 'r 'lx"), (Words{"'re", "x", " '", "r", " '", "lx"}));
  EXPECT_EQ(cut("ab12cd 34"), (Words{"ab", "12", "cd", " 34"}));
  EXPECT_EQ(cut("a   b"), (Words{"a", "  ", " b"}));
  EXPECT_EQ(cut("a \n b\n"), (Words{"a", " \n", " b", "\n"}));
  EXPECT_EQ(cut("a\tb"), (Words{"a", "\t", "b"}));
  EXPECT_EQ(cut("a\u00A0b"), (Words{"a", "\u00A0", "b"}));
  EXPECT_EQ(cut(" !?x"), (Words{" !?", "x"}));
  EXPECT_EQ(cut("e\u0301\u00BD"), (Words{"e", "\u0301", "\u00BD"}));  // marks are not letters
  EXPECT_EQ(cut("  "), (Words{"  "}));
}

TEST(PreTokenizer, Llama3) {
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("llama3"), text); };
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
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("qwen2"), text); };
  EXPECT_EQ(cut("1234 8"), (Words{"1", "2", "3", "4", " ", "8"}));
  EXPECT_EQ(cut("I'LL (ab)\r\n\nx  y"), (Words{"I", "'LL", " (", "ab", ")\r\n\n", "x", " ", " y"}));
}

TEST(PreTokenizer, Qwen35) {
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("qwen35"), text); };
  EXPECT_EQ(cut("e\u0301a 12"), (Words{"e\u0301a", " ", "1", "2"}));
  EXPECT_EQ(cut("!\u0301a"), (Words{"!\u0301a"}));
  EXPECT_EQ(cut("\u0915\u093F\u0924\u093E\u092C"), (Words{"\u0915\u093F\u0924\u093E\u092C"}));  // Hindi has Mc
}

TEST(PreTokenizer, Gpt4o) {
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("gpt4o"), text); };
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
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("tekken"), text); };
  EXPECT_EQ(cut("It's 123"), (Words{"It", "'s", " ", "1", "2", "3"}));
  EXPECT_EQ(cut("camelCase/\n"), (Words{"camel", "Case", "/\n"}));
}

TEST(PreTokenizer, StarCoder) {
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("starcoder"), text); };
  EXPECT_EQ(cut("ab12 3"), (Words{"ab", "1", "2", " ", "3"}));
  EXPECT_EQ(cut("a  1"), (Words{"a", "  ", "1"}));  // what stands before a number is cut as if the text ended
  EXPECT_EQ(cut("\u00B2\u0663x's"), (Words{"\u00B2", "\u0663", "x", "'s"}));
}

TEST(PreTokenizer, DeepseekLlm) {
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("deepseek-llm"), text); };
  EXPECT_EQ(cut("Hello world! 12\r\n"), (Words{"Hello", " world", "!", " ", "1", "2", "\r", "\n"}));
  EXPECT_EQ(cut("a  b   "), (Words{"a", " ", " b", "   "}));
  EXPECT_EQ(cut("\u4E2D\u6587abc\uFF0C\u0E01"), (Words{"\u4E2D\u6587", "abc", "\uFF0C", "\u0E01"}));
}

TEST(PreTokenizer, DeepseekCoder) {
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("deepseek-coder"), text); };
  EXPECT_EQ(cut("int x=10; \u4E2D\n"), (Words{"int", " x", "=", "1", "0", ";", " ", "\u4E2D", "\n"}));
}

TEST(PreTokenizer, DeepseekV3) {
  const auto cut = [](std::string_view text) { return words(pre_tokenizer_named("deepseek-v3"), text); };
  EXPECT_EQ(cut("it's 12345 (a) !=\n\nb"), (Words{"it", "'s", " ", "123", "45", " (", "a", ")", " !=\n\n", "b"}));
  EXPECT_EQ(cut("\u4E2Dab\u3042e\u0301"), (Words{"\u4E2D", "ab", "\u3042", "e\u0301"}));
}

// The words are written in the letters of bytes; the second byte of U+00B2, which is written as itself, is a number.
TEST(PreTokenizer, Falcon) {
  const PreTokenizer falcon = pre_tokenizer_named("falcon");
  EXPECT_TRUE(falcon.spells_bytes());
  EXPECT_EQ(words(falcon, "Hi, 12345!?x\n"), (Words{"Hi", ",", "\u0120", "123", "45", "!?", "x", "\u010A"}));
  EXPECT_EQ(words(falcon, "\u00B2"), (Words{"\u00C2", "\u00B2"}));
}

Words words(const std::vector<SplitStep>& steps, std::string_view text) {
  const auto pre_tokenizer = PreTokenizer::create(steps);
  EXPECT_TRUE(pre_tokenizer) << pre_tokenizer.error().detail;
  return pre_tokenizer ? words(*pre_tokenizer, text) : Words();
}

// huggingface/tokenizers, tokenizer/normalizer.rs, has the same cases.
TEST(PreTokenizer, MatchesArePiecesOrPartsOfThem) {
  const auto cut = [](SplitBehavior behavior, bool inverts = false) {
    return words({{.expression = "-", .behavior = behavior, .inverts = inverts}}, "the-final--countdown");
  };
  EXPECT_EQ(cut(SplitBehavior::removed), (Words{"the", "final", "countdown"}));
  EXPECT_EQ(cut(SplitBehavior::isolated), (Words{"the", "-", "final", "-", "-", "countdown"}));
  EXPECT_EQ(cut(SplitBehavior::merged_with_previous), (Words{"the-", "final-", "-", "countdown"}));
  EXPECT_EQ(cut(SplitBehavior::merged_with_next), (Words{"the", "-final", "-", "-countdown"}));
  EXPECT_EQ(cut(SplitBehavior::contiguous), (Words{"the", "-", "final", "--", "countdown"}));
  EXPECT_EQ(cut(SplitBehavior::removed, true), (Words{"-", "-", "-"}));
}

TEST(PreTokenizer, ASpaceIsAddedToEachPiece) {
  const SplitStep byte_level{.expression = "[a-z]+| [a-z]+", .adds_space = true};
  EXPECT_EQ(words({byte_level}, "ab cd"), (Words{" ab", " cd"}));
  EXPECT_EQ(words({byte_level}, " ab"), (Words{" ab"}));
  EXPECT_EQ(words({{.expression = "x", .behavior = SplitBehavior::removed}, byte_level}, "axb"), (Words{" a", " b"}));
  EXPECT_EQ(words({byte_level}, ""), (Words{}));
}

TEST(PreTokenizer, TextThatTakesTooLongIsRejected) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "ab";
  const auto pre_tokenizer = PreTokenizer::create({{.expression = "(?:ab)*+x|b"}});
  const Status status = pre_tokenizer->for_each_word(text, [](std::string_view) {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::input);
  EXPECT_FALSE(PreTokenizer::create(std::vector<SplitStep>(17)));
}

// In quadratic time, the limit would be reached and the end not be found.
TEST(PreTokenizer, LongRunsOfSpacesTakeLinearTime) {
  const std::string spaces(100'000, ' ');
  EXPECT_EQ(words(pre_tokenizer_named("deepseek-llm"), spaces + "a" + spaces), (Words{spaces.substr(1), " a", spaces}));
  for (const char* name : {"gpt2", "llama3", "gpt4o", "deepseek-v3"}) {
    EXPECT_EQ(words(pre_tokenizer_named(name), "a" + spaces + "b" + spaces),
              (Words{"a", spaces.substr(1), " b", spaces}))
        << name;
  }
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
}  // namespace quintet::test
