// Matches as the reference (Oniguruma, which backtracks) finds them, worked out by hand.

#include "tokenizers/split_expression/expression_matcher.h"

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
  ExpressionSearch search(ExpressionSearch::max_steps(text.size()));
  ExpressionMatcher matches(*compiled, text, search);
  while (const auto match = matches.next()) {
    found.emplace_back(text.substr(match->begin, match->end - match->begin));
  }
  EXPECT_TRUE(search.status()) << search.status().error().detail;
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

TEST(SplitExpression, GroupsAreRepeated) {
  EXPECT_EQ(all("(ab)+", "abababa"), (Found{"ababab"}));
  EXPECT_EQ(all("(?:a|bc){2,3}d", "abcabcd aad"), (Found{"bcabcd", "aad"}));
  EXPECT_EQ(all("x(?:ab)*y", "xy xababy"), (Found{"xy", "xababy"}));
  EXPECT_EQ(all("(?:ab)+?", "abab"), (Found{"ab", "ab"}));
  EXPECT_EQ(all("(?:ab)++ab|b", "abab"), (Found{"b", "b"}));
  EXPECT_EQ(all("(?:ab?){2}+b|b", "abab"), (Found{"abab"}));  // as (?:(?:ab?){2})+
  EXPECT_EQ(all("a{1,2}+", "aaaaa"), (Found{"aaaaa"}));
  EXPECT_EQ(all("a{,2}b", "aaab"), (Found{"aab"}));
}

TEST(SplitExpression, LazyRepetitionsTakeAsLittleAsPossible) {
  EXPECT_EQ(all("a+?", "aaa"), (Found{"a", "a", "a"}));
  EXPECT_EQ(all("<.*?>", "<a><b>"), (Found{"<a>", "<b>"}));
  EXPECT_EQ(all("a{1,2}?b", "aaab"), (Found{"aab"}));
  EXPECT_EQ(all("(?>a+?)b", "aab"), (Found{"ab"}));
}

// An empty match splits, but does not follow another match directly.
TEST(SplitExpression, EmptyMatches) {
  EXPECT_EQ(all("x*", "aaxxb"), (Found{"", "", "xx"}));
  EXPECT_EQ(all(R"((?=(\d{3})+(?!\d)))", "1234567"), (Found{"", ""}));  // in front of 234567 and 567
}

TEST(SplitExpression, LooksBehind) {
  EXPECT_EQ(all("(?<=a)b", "abcb"), (Found{"b"}));
  EXPECT_EQ(all("(?<!a)b.", "abcbd"), (Found{"bd"}));
  EXPECT_EQ(all("(?<=\u00E9\u00E9|x).", "\u00E9\u00E9a\u00E9bxc"), (Found{"a", "c"}));
  EXPECT_EQ(all("(?<!ab|c)d", "abd cd d"), (Found{"d"}));
}

TEST(SplitExpression, Positions) {
  EXPECT_EQ(all("^a", "aa\na"), (Found{"a", "a"}));
  EXPECT_EQ(all("^", "a\n"), (Found{""}));  // no line begins at the end
  EXPECT_EQ(all("\\Aa", "aa\na"), (Found{"a"}));
  EXPECT_EQ(all("a$", "a\na"), (Found{"a", "a"}));
  EXPECT_EQ(all("a\\z", "a\na\n"), (Found{}));
  EXPECT_EQ(all("a\\Z", "a\na\n"), (Found{"a"}));
  EXPECT_EQ(all("\\bb", "b ab \u00B2b -b"), (Found{"b", "b"}));
  EXPECT_EQ(all("\\Bb", "b ab"), (Found{"b"}));
  EXPECT_EQ(all(R"(\d{1,3}(?=(?:\d{3})*\b))", "1234567 12a"), (Found{"1", "234", "567"}));
}

TEST(SplitExpression, ClassesWithinClasses) {
  EXPECT_EQ(all("[a[^b]]+", "abc"), (Found{"a", "c"}));
  EXPECT_EQ(all("[a-z&&[^aeiou]]+", "table"), (Found{"t", "bl"}));
  EXPECT_EQ(all(R"([\p{L}&&[^\p{Han}]]+)", "a\u4E2Db\u3042"), (Found{"a", "b\u3042"}));
  EXPECT_EQ(all(R"([\W]+)", "a-\u00B2b"), (Found{"-\u00B2"}));  // ² is a word only outside brackets
  EXPECT_EQ(all(R"([^\W\d]+)", "a1b\u00E9"), (Found{"a", "b\u00E9"}));
  EXPECT_EQ(all("[^(\\s|[.,!?\u2026\u3002])]+", "a(b|c.d e"), (Found{"a", "b", "c", "d", "e"}));
}

TEST(SplitExpression, Classes) {
  EXPECT_EQ(all(R"([\p{Lu}\p{Lt}]+)", "aB\u01C5\u00C9\u00E9"), (Found{"B\u01C5\u00C9"}));
  EXPECT_EQ(all(R"(\p{Lu}+)", "aB\u01C5\u00C9\u00E9"), (Found{"B", "\u00C9"}));
  EXPECT_EQ(all(R"(\p{Lm}|\p{Lo})", "a\u02B0\u4E2D"), (Found{"\u02B0", "\u4E2D"}));
  EXPECT_EQ(all(R"(\p{M}+)", "e\u0301\u0903x"), (Found{"\u0301\u0903"}));
  EXPECT_EQ(all(R"(\p{S}+|\p{P}+)", "$+a!_\u20AC\u3002"), (Found{"$+", "!_", "\u20AC", "\u3002"}));
  EXPECT_EQ(all(R"(\d+)", "1\u0663\u00B2"), (Found{"1\u0663"}));
  EXPECT_EQ(all(R"(\p{N}+)", "1\u0663\u00B2\u2167"), (Found{"1\u0663\u00B2\u2167"}));
  EXPECT_EQ(all(R"(\w+)", "a_1\u0301 \u24B6\u00B2-\u200D"), (Found{"a_1\u0301", "\u24B6\u00B2"}));
  EXPECT_EQ(all(R"(\W)", "a-b\u00B2"), (Found{"-"}));
  EXPECT_EQ(all(R"(\p{P8}+)", "!\u2E5A\u3002"), (Found{"!", "\u3002"}));
  EXPECT_EQ(all(R"(\P{L})", "a-b\u00B2"), (Found{"-", "\u00B2"}));
  EXPECT_EQ(all(R"([^\s\p{L}\p{N}]+)", "a.\u00A0\u0085!1"), (Found{".", "!"}));
  EXPECT_EQ(all(R"([a-c\-\]x]+)", "ab-]xd"), (Found{"ab-]x"}));
  EXPECT_EQ(all("[\u4E00-\u9FA5\u0800-\u4E01]+", "\u0801\u9FA5a"), (Found{"\u0801\u9FA5"}));
}

TEST(SplitExpression, CaseIsIgnoredWhereTheExpressionSaysSo) {
  EXPECT_EQ(all("(?i:'s|'LL)", "'S's'lL'\u017F's"), (Found{"'S", "'s", "'lL", "'\u017F", "'s"}));
  EXPECT_EQ(all("(?i:[kx])y", "\u212Ay Xy XY"), (Found{"\u212Ay", "Xy"}));
}

TEST(SplitExpression, UnsupportedSyntaxIsNamedWithItsPosition) {
  for (const char* expression : {"(?<!a+)b",
                                 "(?<=a|b?)",
                                 "(?<n>a)",
                                 "a**",
                                 "(a?)*",
                                 "(?:a*|b)+",
                                 "a{3,2}",
                                 "a{,}",
                                 "a{2000}",
                                 "(a",
                                 "a)",
                                 "[a",
                                 "[]a]",
                                 "[z-a]",
                                 "[[:alpha:]]",
                                 "\\G",
                                 "\\",
                                 "\\p{Thai}",
                                 "\\pL",
                                 "*a",
                                 "a|*",
                                 "(?i:\u00E9)",
                                 "(?i:[a-\u00E9])",
                                 "\\R",
                                 "(?m:a)",
                                 "(?:aaaaaaaaaa){100}"}) {
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
  EXPECT_TRUE(SplitExpression::compile(expression + "c"));
}

}  // namespace
}  // namespace quintet
