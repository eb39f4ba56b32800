#include "runtime/generation/thought_budget.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quintet {
namespace {

constexpr uint32_t kCloses = 7, kAfter = 8;

ThoughtBudget budget_of(uint64_t tokens, bool begins) {
  return {{.budget = tokens, .begin = "<think>", .end = "</think>", .closing = "</think>\n", .begins = begins},
          {kCloses, kAfter}};
}

// The number of these texts before the first forced token; all of them, without one.
size_t before_closing(ThoughtBudget budget, const std::vector<std::string>& texts) {
  for (size_t i = 0; i < texts.size(); ++i) {
    if (budget.forced()) return i;
    budget.push(texts[i]);
  }
  return texts.size();
}

TEST(ThoughtBudget, CountsTheTokensAfterTheBeginning) {
  EXPECT_EQ(before_closing(budget_of(2, true), {"a", "b", "c", "d"}), 2U);
  EXPECT_EQ(before_closing(budget_of(2, false), {"<think>", "a", "b", "c"}), 3U);
  EXPECT_EQ(before_closing(budget_of(1, false), {"\n", "<th", "ink>", "a", "b"}), 4U);
  EXPECT_EQ(before_closing(budget_of(0, false), {"<think>", "a"}), 1U);
  EXPECT_EQ(before_closing(budget_of(0, true), {"a"}), 0U);
}

TEST(ThoughtBudget, ForcesTheWholeClosingOnce) {
  ThoughtBudget budget = budget_of(1, true);
  budget.push("a");
  EXPECT_EQ(budget.forced(), kCloses);
  budget.push("</think>");
  EXPECT_EQ(budget.forced(), kAfter);
  budget.push("\n");
  for (const char* text : {"b", "<think>", "c", "d", "e"}) {
    EXPECT_FALSE(budget.forced());
    budget.push(text);
  }
}

TEST(ThoughtBudget, ThoughtsThatEndInTimeAndAnswersWithoutAnyAreUnchanged) {
  EXPECT_EQ(before_closing(budget_of(3, true), {"a", "</th", "ink>", "b", "c"}), 5U);
  EXPECT_EQ(before_closing(budget_of(0, false), {"An", " answer", "<think>", "a"}), 4U);
  EXPECT_EQ(before_closing(budget_of(0, false), {"<thought>", "a"}), 2U);
}

TEST(ThoughtBudget, NoCharacterIsCutInTwo) {
  EXPECT_EQ(before_closing(budget_of(1, true), {"\xE2", "\x82", "\xAC", "b"}), 3U);
  EXPECT_EQ(before_closing(budget_of(1, true), {"\xF0\x9F", "\x98", "\x80", "b"}), 3U);
}

}  // namespace
}  // namespace quintet
