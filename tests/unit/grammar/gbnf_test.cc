#include "grammar/gbnf.h"

#include <gtest/gtest.h>

#include <string>

#include "grammar/automaton.h"
#include "grammar/matcher.h"

namespace quintet::grammar {
namespace {

Result<Automaton> compiled(std::string_view gbnf) {
  QUINTET_TRY(Syntax syntax, parse_gbnf(gbnf));
  return Automaton::compile(std::move(syntax));
}

bool matches(std::string_view gbnf, std::string_view text) {
  const auto automaton = compiled(gbnf);
  EXPECT_TRUE(automaton) << gbnf << ": " << automaton.error().detail;
  return automaton && accepts(*automaton, text).value_or(false);
}

std::string refusal(std::string_view gbnf) {
  const auto automaton = compiled(gbnf);
  if (automaton) return "";
  EXPECT_EQ(automaton.error().code, Code::input);
  return automaton.error().detail;
}

TEST(Gbnf, ReadsTextClassesAndAnyCharacter) {
  EXPECT_TRUE(matches("root ::= \"a\" [b-d] [^e\\n] .", "abx\n"));
  EXPECT_FALSE(matches("root ::= \"a\" [b-d] [^e\\n] .", "abe\n"));
  EXPECT_FALSE(matches("root ::= \"a\" [b-d] [^e\\n] .", "aax\n"));
  EXPECT_TRUE(matches("root ::= [a-]", "-"));
  EXPECT_TRUE(matches("root ::= [-a]", "-"));
  EXPECT_TRUE(matches(R"(root ::= "\x41\u00e9\U0001F600\t\r\n\\\"\[\]")", "A\u00e9\U0001F600\t\r\n\\\"[]"));
  EXPECT_TRUE(matches(R"(root ::= [\]\-\\^]+)", "]-\\^"));
  EXPECT_TRUE(matches("root ::= \"\"", ""));
}

TEST(Gbnf, ReadsCharactersBeyondAscii) {
  constexpr std::string_view kana = "root ::= [ぁ-ゟ]+ [😀-😎]";
  EXPECT_TRUE(matches(kana, "あん😃"));
  EXPECT_FALSE(matches(kana, "あア😃"));
  EXPECT_FALSE(matches(kana, "あ😏"));
  EXPECT_FALSE(matches(kana, "あ\xF0\x9F\x98"));
  // Every character, but nothing that is not UTF-8: no overlong form, no surrogate, nothing beyond U+10FFFF.
  EXPECT_TRUE(matches("root ::= .", "\U0010FFFF"));
  EXPECT_FALSE(matches("root ::= .", "\xC0\x80"));
  EXPECT_FALSE(matches("root ::= .", "\xED\xA0\x80"));
  EXPECT_FALSE(matches("root ::= .", "\xF4\x90\x80\x80"));
  EXPECT_FALSE(matches("root ::= [^a]", "\xFF"));
}

TEST(Gbnf, ReadsRepetitions) {
  EXPECT_TRUE(matches("root ::= \"ab\"{2}", "abab"));
  EXPECT_FALSE(matches("root ::= \"ab\"{2}", "ab"));
  EXPECT_TRUE(matches("root ::= \"a\"{ 2 , 3 }", "aaa"));
  EXPECT_FALSE(matches("root ::= \"a\"{2,3}", "aaaa"));
  EXPECT_TRUE(matches("root ::= \"a\"{2,}", "aaaaaa"));
  EXPECT_TRUE(matches("root ::= \"a\"{0}", ""));
  EXPECT_FALSE(matches("root ::= \"a\"{0}", "a"));
  EXPECT_TRUE(matches("root ::= (\"a\" | \"b\"?)* \"c\"", "abbac"));
  EXPECT_TRUE(matches("root ::= \"a\" * \"b\" +", "aabb"));
  EXPECT_TRUE(matches("root ::= (\"\"){1000000000}", ""));
  EXPECT_TRUE(matches("root ::= [a-z]{0,5000}", std::string(5000, 'x')));
  EXPECT_FALSE(matches("root ::= [a-z]{0,5000}", std::string(5001, 'x')));
}

TEST(Gbnf, ReadsLinesLikeLlamaCpp) {
  EXPECT_TRUE(matches("# first\n\nroot ::= # here\n  \"a\" | # or\n  \"b\"\n# last", "b"));
  EXPECT_TRUE(matches("root ::= (\n\"a\"\n|\n\"b\"\n)\r\n", "b"));
  EXPECT_TRUE(matches("root ::= x\nx ::= \"1\"\nx ::= \"2\"\n", "2")) << "the last rule of a name counts";
  EXPECT_FALSE(matches("root ::= x\nx ::= \"1\"\nx ::= \"2\"\n", "1"));
  EXPECT_NE(refusal("root ::= \"a\"\n  | \"b\""), "");
  EXPECT_NE(refusal("root ::= \"a\" root-2 ::= \"b\""), "");
}

TEST(Gbnf, ErrorsSayWhatIsWrongAndWhere) {
  const auto error = parse_gbnf("root ::= \"a\" (\"b\" | ]").error();
  EXPECT_EQ(error.detail, "grammar: expected ), found \"]\"");
  EXPECT_EQ(error.offset, 20u);
  EXPECT_EQ(refusal("rot ::= \"a\""), "grammar: there is no rule root");
  EXPECT_EQ(refusal(""), "grammar: there is no rule root");
  EXPECT_EQ(refusal("root ::= a-b"), "grammar: there is no rule a-b");
  EXPECT_EQ(parse_gbnf("root ::= \"x\" a-b").error().offset, 13u);
  for (const char* gbnf : {"root ::= \"a", "root ::= (\"a\" | \"b\"", "root = \"a\"", "root ::= \"\\q\"", "root ::= [a",
                           "root ::= []", "root ::= [b-a]", "root ::= *", "root ::= \"a\"{", "root ::= \"a\"{3,2}",
                           "root ::= \"a\"{99999999999}", "root ::= \"\\uD800\"", "root ::= \"\\x4\"", "root ::= a_b",
                           "root ::= <[12>", "root ::= <think", "root ::= \"\xFF\"", "root ::= \"a\"**********"}) {
    EXPECT_NE(refusal(gbnf), "") << gbnf;
  }
}

TEST(Gbnf, RejectsLeftRecursion) {
  EXPECT_EQ(refusal("root ::= root \"a\" | \"b\""), "grammar: left recursion: root -> root: write it as a repetition");
  EXPECT_NE(refusal("root ::= asdf\nasdf ::= \"a\" | foo \"b\"\nfoo ::= \"c\" | asdf \"d\"").find("left recursion"),
            std::string::npos);
  // Behind what may be empty.
  EXPECT_NE(refusal("root ::= ws root \"a\" | \"b\"\nws ::= [ ]*").find("left recursion"), std::string::npos);
  EXPECT_TRUE(matches("root ::= \"b\" root | \"\"", "bbb")) << "right recursion is none";
}

TEST(Gbnf, RejectsGrammarsThatNeverEnd) {
  EXPECT_NE(refusal("root ::= \"a\" root").find("ever ends"), std::string::npos);
  EXPECT_TRUE(matches("root ::= \"a\" x | \"b\"\nx ::= \"c\" x", "b"));
  EXPECT_FALSE(matches("root ::= \"a\" x | \"b\"\nx ::= \"c\" x", "ac"));
}

TEST(Gbnf, TakesBoundedTimeAndMemory) {
  EXPECT_NE(refusal("root ::= " + std::string(1000000, '(') + "\"a\"").find("nest"), std::string::npos);
  EXPECT_NE(refusal("root ::= (((([a-z]{1000}){1000}){1000}){1000})").find("states"), std::string::npos);
  EXPECT_NE(refusal("root ::= [a-z]{4000000000}").find("states"), std::string::npos);
  std::string empty = "root ::=";
  for (int i = 0; i < 20000; ++i) empty += " \"x\"?";
  EXPECT_NE(refusal(empty).find("too many"), std::string::npos);
  // A chain of rules, each the beginning of the one before it.
  std::string chain = "root ::= r0\n";
  for (int i = 0; i < 10000; ++i) chain += "r" + std::to_string(i) + " ::= r" + std::to_string(i + 1) + " \"x\"*\n";
  EXPECT_TRUE(matches(chain + "r10000 ::= \"a\"", "ax"));
  // 2^40 copies, if small rules were copied without a limit.
  std::string doubled = "root ::= d0\n";
  for (int i = 0; i < 40; ++i) {
    const std::string next = "d" + std::to_string(i + 1);
    doubled += "d" + std::to_string(i) + " ::= " + next + " " + next + "\n";
  }
  EXPECT_FALSE(matches(doubled + "d40 ::= \"a\"", "aaaa"));
}

TEST(Gbnf, FollowsAmbiguousGrammarsInBoundedTime) {
  // Each "a" can be read in two ways: 2^2000 in all.
  constexpr std::string_view ambiguous = "root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"a\" root | \"\"";
  EXPECT_TRUE(matches(ambiguous, std::string(300, 'a') + std::string(100, 'b') + std::string(100, 'c')));
  EXPECT_FALSE(matches(ambiguous, std::string(300, 'a') + std::string(301, 'b')));
}

TEST(Gbnf, FollowsDeepTexts) {
  constexpr std::string_view brackets = "root ::= \"[\" root? \"]\"";
  constexpr int depth = 1000000;
  EXPECT_TRUE(matches(brackets, std::string(depth, '[') + std::string(depth, ']')));
  EXPECT_FALSE(matches(brackets, "[[]"));
  // Too deep to be kept: an error, not an answer.
  const auto automaton = compiled(brackets);
  const auto deeper = accepts(*automaton, std::string(1700000, '['));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().reason, Reason::limit);
  // A list that ends in itself is not deep.
  EXPECT_TRUE(matches("root ::= \"x\" root | \"\"", std::string(200000, 'x')));
}

}  // namespace
}  // namespace quintet::grammar
