// Steps of matching in long texts. Budgets are a few dozen steps for each byte: with quadratic time, most of these
// texts would need thousands.

#include "tokenizers/split_expression/expression_matcher.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quintet {
namespace {

constexpr size_t kLong = 100'000;

std::string repeated(const std::string& unit, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += unit;
  return text;
}

SplitExpression compiled(const std::string& expression) {
  auto made = SplitExpression::compile(expression);
  EXPECT_TRUE(made) << made.error().detail;
  return std::move(*made);
}

std::vector<size_t> sizes_of_matches(const std::string& expression, const std::string& text) {
  const SplitExpression split = compiled(expression);
  ExpressionSearch search(64 * text.size());
  ExpressionMatcher matches(split, text, search);
  std::vector<size_t> sizes;
  while (const auto match = matches.next()) sizes.push_back(match->end - match->begin);
  EXPECT_TRUE(search.status()) << search.status().error().detail;
  return sizes;
}

// Groups of three from the right, as models for numbers have them: first what is left over, then groups alone.
TEST(ExpressionMatcher, LooksForTheEndOfANumberFromEachGroup) {
  for (const std::string expression :
       {R"(\d{1,3}(?=(?:\d{3})*\b))", R"(\d{1,3}(?=(?:\d{3})*(?!\d)))", R"(\d{1,3}(?=(?:\d{3})*$))",
        R"(\d{1,3}(?=(?:\d{3})*\z))", R"(\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|$)))", R"(\d{1,3}(?=(?:\d{3})*?\b))",
        R"(\d{1,3}(?=(?:(?:\d\d)\d)*\b))", R"(\d{1,3}?(?=(?:\d{3})*\b))",
        R"(\d{1,3}(?!\d(?:\d{3})*\b|\d\d(?:\d{3})*\b))", R"(\d{1,3}(?=(?:\d{3}|x)*\b))"}) {
    for (const size_t digits : {size_t{999}, size_t{1000}, size_t{3001}, kLong}) {
      std::vector<size_t> expected(digits / 3 + (digits % 3 != 0), 3);
      if (digits % 3 != 0) expected.front() = digits % 3;
      EXPECT_EQ(sizes_of_matches(expression, std::string(digits, '7')), expected) << expression << ", " << digits;
    }
  }
}

TEST(ExpressionMatcher, TextAfterALongNumberIsSplitToo) {
  const std::string text = std::string(30'000, '7') + repeated(" word 1234", 50);
  const std::vector<size_t> sizes = sizes_of_matches(R"(\d{1,3}(?=(?:\d{3})*\b)| ?[a-z]+| )", text);
  ASSERT_EQ(sizes.size(), 10'000u + 50 * 4);
  for (size_t i = 10'000; i < sizes.size(); i += 4) {
    EXPECT_EQ(std::vector(sizes.begin() + i, sizes.begin() + i + 4), (std::vector<size_t>{5, 1, 1, 3}));
  }
}

// The first alternative fails at each character, and only after it has seen the rest of the run.
TEST(ExpressionMatcher, AttemptsThatFailAreNotRepeatedFromTheNextCharacter) {
  const std::string a(kLong, 'a'), brackets(kLong, '<'), pairs = repeated("ab", kLong / 2);
  struct Case {
    std::string expression, text;
  };
  for (const auto& [expression, text] : {Case{"a+x|a", a},
                                         {"(?:a+)+x|a", a},
                                         {"(?:(?:a+)+)+x|a", a},
                                         {"(?:a|aa)+x|a", a},
                                         {"(?:a|b|ab)*x|[ab]", pairs},
                                         {"(?:a*)x|a", a},
                                         {"a*a*a*a*x|a", a},
                                         {"a++x|a", a},
                                         {"a+?x|a", a},
                                         {"<.*?>|<", brackets},
                                         {"(?=a*x)b|a", a},
                                         {"(?=.*?x)a|a", a},
                                         {"(?:ab)+x|[ab]", pairs},
                                         {"(?:ab)+?x|[ab]", pairs},
                                         {"(?>a+)x|a", a},
                                         {"a{2,}x|a", a},
                                         {"a{1,40}x|a", a},
                                         {"(?=(?:ab)*x)a|[ab]", pairs},
                                         {"(?!(?:ab)*x)[ab]", pairs},
                                         {"(?:[ab]+\\b)+x|[ab]", pairs}}) {
    EXPECT_EQ(sizes_of_matches(expression, text), std::vector<size_t>(text.size(), 1)) << expression;
  }
}

TEST(ExpressionMatcher, LooksToTheEndOfARunFromEachCharacter) {
  const std::string text = std::string(kLong, 'a') + "x" + std::string(kLong, 'b');
  EXPECT_EQ(sizes_of_matches("(?=.*x)a", text), std::vector<size_t>(kLong, 1));
  EXPECT_EQ(sizes_of_matches("(?=.*?x)a", text), std::vector<size_t>(kLong, 1));
  EXPECT_EQ(sizes_of_matches("(?=(?:a|b)*x)a", text), std::vector<size_t>(kLong, 1));
  EXPECT_EQ(sizes_of_matches("(?!.*x)b", text), std::vector<size_t>(kLong, 1));
}

TEST(ExpressionMatcher, RunsBetweenOtherTextAreApart) {
  const std::string text = repeated(std::string(300, 'a') + "-" + std::string(300, 'a') + "x", 100);
  std::vector<size_t> expected;
  for (int i = 0; i < 100; ++i) {
    expected.insert(expected.end(), 300, 1);  // of the run that ends without an x
    expected.push_back(301);
  }
  EXPECT_EQ(sizes_of_matches("a+x|a", text), expected);
  EXPECT_EQ(sizes_of_matches("(?:a+)+x|a", text), expected);
  EXPECT_EQ(sizes_of_matches("(?:a|aa)+x|a", text), expected);
}

TEST(ExpressionMatcher, CharactersBeyondAsciiAreTakenWhole) {
  const std::string text = repeated("\u0967\u0968\u0969\u096A", kLong / 4);
  std::vector<size_t> expected(kLong / 3 + 1, 9);
  expected.front() = 3 * (kLong % 3);
  EXPECT_EQ(sizes_of_matches(R"(\d{1,3}(?=(?:\d{3})*\b))", text), expected);
  EXPECT_EQ(sizes_of_matches(R"((?:\d+)+x|\d)", text), std::vector<size_t>(kLong, 3));
  EXPECT_EQ(sizes_of_matches(R"(\d+?x|\d)", text), std::vector<size_t>(kLong, 3));
}

// The end of such a group would have to be known for each of its beginnings.
TEST(ExpressionMatcher, ATextThatTakesTooLongIsRejectedWithItsPlace) {
  const SplitExpression split = compiled("(?:ab)*+x|b");
  const std::string text = "b" + repeated("ab", 10'000);
  ExpressionSearch search(ExpressionSearch::max_steps(text.size()));
  ExpressionMatcher matches(split, text, search);
  EXPECT_TRUE(matches.next());
  while (matches.next()) {
  }
  ASSERT_FALSE(search.status());
  const Error& error = search.status().error();
  EXPECT_EQ(error.code, Code::input);
  EXPECT_EQ(error.reason, Reason::limit);
  EXPECT_NE(error.detail.find("\"(?:ab)*+x|b\" takes too many steps at byte "), std::string::npos) << error.detail;
  EXPECT_FALSE(ExpressionMatcher(split, "b", search).next());  // nor is anything else found
}

}  // namespace
}  // namespace quintet
