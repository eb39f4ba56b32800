// Matches as the reference (Oniguruma, which backtracks) finds them, worked out by hand.

#include "tokenizers/split_expression.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quintet {
namespace {

using Found = std::vector<std::string>;

Found all(const std::string& expression, std::string_view text) {
  const auto compiled = SplitExpression::compile(expression);
  EXPECT_TRUE(compiled) << compiled.error().detail;
  Found found;
  if (!compiled) return found;
  uint64_t steps = 1'000'000;
  for (size_t at = 0; at < text.size();) {
    const SplitExpression::Match match = compiled->find(text, at, steps);
    if (match.begin != match.end) found.emplace_back(text.substr(match.begin, match.end - match.begin));
    at = match.end;
  }
  return found;
}

TEST(SplitExpression, TheFirstAlternativeThatMatchesWins) {
  EXPECT_EQ(all("ab|abc|.", "abcx"), (Found{"ab", "c", "x"}));
  EXPECT_EQ(all("a(?:b|bc)d|abc", "abcd"), (Found{"abcd"}));
  EXPECT_EQ(all("(?:x?|y)z|y", "yz z"), (Found{"yz", "z"}));
}

TEST(SplitExpression, RepetitionsGiveBackUnlessTheyArePossessive) {
  EXPECT_EQ(all("a+ab", "aaab"), (Found{"aaab"}));
  EXPECT_EQ(all("a++ab|b", "aaab"), (Found{"b"}));
  EXPECT_EQ(all("a{2,3}", "aaaaaaaa"), (Found{"aaa", "aaa", "aa"}));
  EXPECT_EQ(all("a{2}", "aaa"), (Found{"aa"}));
  EXPECT_EQ(all("ba{1,}", "baab"), (Found{"baa"}));
  EXPECT_EQ(all("\u00E9*\u00E9x", "\u00E9\u00E9x"), (Found{"\u00E9\u00E9x"}));
}

TEST(SplitExpression, LooksAhead) {
  EXPECT_EQ(all(R"(\s+(?!\S)|\s+)", "a   b  "), (Found{"  ", " ", "  "}));
  EXPECT_EQ(all("a(?=b|c)", "abacad"), (Found{"a", "a"}));
  EXPECT_EQ(all("\\s+$", "a  b \n c  "), (Found{" ", "  "}));  // $ is also before a line feed
}

TEST(SplitExpression, Classes) {
  EXPECT_EQ(all(R"([\p{Lu}\p{Lt}]+)", "aB\u01C5\u00C9\u00E9"), (Found{"B\u01C5\u00C9"}));
  EXPECT_EQ(all(R"(\p{Lu}+)", "aB\u01C5\u00C9\u00E9"), (Found{"B", "\u00C9"}));
  EXPECT_EQ(all(R"(\p{Lm}|\p{Lo})", "a\u02B0\u4E2D"), (Found{"\u02B0", "\u4E2D"}));
  EXPECT_EQ(all(R"(\p{M}+)", "e\u0301\u0903x"), (Found{"\u0301\u0903"}));
  EXPECT_EQ(all(R"(\p{S}+|\p{P}+)", "$+a!_\u20AC\u3002"), (Found{"$+", "!_", "\u20AC", "\u3002"}));
  EXPECT_EQ(all(R"(\d+)", "1\u0663\u00B2"), (Found{"1\u0663"}));
  EXPECT_EQ(all(R"(\p{N}+)", "1\u0663\u00B2\u2167"), (Found{"1\u0663\u00B2\u2167"}));
  EXPECT_EQ(all(R"(\w+)", "a_1\u0301 \u24B6\u00B2-\u200D"), (Found{"a_1\u0301", "\u24B6", "\u200D"}));
  EXPECT_EQ(all(R"(\W)", "a-b\u00B2"), (Found{"-", "\u00B2"}));
  EXPECT_EQ(all(R"(\P{L})", "a-b\u00B2"), (Found{"-", "\u00B2"}));
  EXPECT_EQ(all(R"([^\s\p{L}\p{N}]+)", "a.\u00A0\u0085!1"), (Found{".", "!"}));
  EXPECT_EQ(all(R"([a-c\-\]x]+)", "ab-]xd"), (Found{"ab-]x"}));
  EXPECT_EQ(all("[\u4E00-\u9FA5\u0800-\u4E01]+", "\u0801\u9FA5a"), (Found{"\u0801\u9FA5"}));
}

TEST(SplitExpression, CaseIsIgnoredWhereTheExpressionSaysSo) {
  EXPECT_EQ(all("(?i:'s|'LL)", "'S's'lL'\u017F's"), (Found{"'S", "'s", "'lL", "'\u017F", "'s"}));
  EXPECT_EQ(all("(?i:[kx])y", "\u212Ay Xy XY"), (Found{"\u212Ay", "Xy"}));
}

TEST(SplitExpression, WhatIsNotSupportedIsNamedWithItsPlace) {
  for (const char* expression : {"(?<!a)b", "^a", "a**",   "(ab)+",       "a{3,2}",     "a{,3}", "a{2000}", "(a",
                                 "a)",      "[a", "[z-a]", "[[:alpha:]]", "[a&&b]",     "\\b",   "\\",      "\\p{Han}",
                                 "\\pL",    "*a", "(?i)a", "a|*",         "(?i:[a-z])", "a{2}+", "[\\W]"}) {
    const auto compiled = SplitExpression::compile(expression);
    ASSERT_FALSE(compiled) << expression;
    EXPECT_EQ(compiled.error().code, Code::unsupported);
    EXPECT_NE(compiled.error().detail.find("at byte"), std::string::npos) << compiled.error().detail;
  }
  EXPECT_FALSE(SplitExpression::compile(std::string(40, '|')));
  EXPECT_FALSE(SplitExpression::compile(std::string(5000, 'a')));
  EXPECT_FALSE(SplitExpression::compile(std::string(4000, 'a')));
  EXPECT_FALSE(SplitExpression::compile(std::string(40, '(') + std::string(40, ')')));
}

TEST(SplitExpression, NestedOptionalGroupsAreCompiledInLinearTime) {
  std::string expression;
  for (int i = 0; i < 80; ++i) expression += "(?:a?b?)?";
  uint64_t steps = 100'000;
  const auto compiled = SplitExpression::compile(expression + "c");
  ASSERT_TRUE(compiled) << compiled.error().detail;
  const SplitExpression::Match match = compiled->find(std::string(200, 'a') + "d", 0, steps);
  EXPECT_EQ(match.begin, match.end);
  EXPECT_EQ(steps, 0u);
}

}  // namespace
}  // namespace quintet
