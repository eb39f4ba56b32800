#include "runtime/generation/generated_text.h"

#include <gtest/gtest.h>

#include <random>

namespace quintet {
namespace {

// The text before the stop string that is complete first, found by looking at every prefix of the text.
std::string plain_cut(const std::string& text, const std::vector<std::string>& stops, bool& found) {
  for (size_t end = 1; end <= text.size(); ++end) {
    size_t longest = 0;
    for (const std::string& stop : stops) {
      if (stop.size() <= end && text.compare(end - stop.size(), stop.size(), stop) == 0)
        longest = std::max(longest, stop.size());
    }
    if (longest != 0) {
      found = true;
      return text.substr(0, end - longest);
    }
  }
  found = false;
  return text;
}

struct Streamed {
  std::string text;
  bool found = false;
};

// `cuts`: bit i means that a piece ends after byte i.
Streamed stream(const std::string& text, const std::vector<std::string>& stops, uint32_t cuts) {
  StopStrings strings(stops);
  Streamed streamed;
  size_t begin = 0;
  for (size_t i = 0; i < text.size() && !strings.found(); ++i) {
    if ((cuts >> i & 1) == 0 && i + 1 != text.size()) continue;
    streamed.text += strings.push(std::string_view(text).substr(begin, i + 1 - begin));
    begin = i + 1;
  }
  streamed.found = strings.found();
  if (!streamed.found) streamed.text += strings.finish();
  return streamed;
}

void expect_same_in_all_cuts(const std::string& text, const std::vector<std::string>& stops) {
  Streamed expected;
  expected.text = plain_cut(text, stops, expected.found);
  for (uint32_t cuts = 0; cuts < 1U << (text.size() - 1); ++cuts) {
    const Streamed streamed = stream(text, stops, cuts);
    ASSERT_EQ(streamed.text, expected.text) << text << " " << cuts;
    ASSERT_EQ(streamed.found, expected.found) << text << " " << cuts;
  }
}

TEST(StopStrings, OverlappingPrefixes) {
  expect_same_in_all_cuts("xaaab", {"aab"});
  expect_same_in_all_cuts("abababac", {"ababac"});
  expect_same_in_all_cuts("xabcdy", {"abcd", "bc"});
  expect_same_in_all_cuts("xbcaby", {"ab", "cab", "b!"});
  expect_same_in_all_cuts("no such", {"stop"});
}

TEST(StopStrings, AnyDivisionOfRandomTextsGivesTheSame) {
  std::mt19937 random(2);
  const auto text_of = [&](size_t size) {
    std::string text;
    for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + random() % 2);
    return text;
  };
  int found = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> stops;
    for (size_t i = 0; i <= random() % 3; ++i) stops.push_back(text_of(2 + random() % 5));
    const std::string text = text_of(1 + random() % 10);
    bool stopped = false;
    plain_cut(text, stops, stopped);
    found += stopped ? 1 : 0;
    SCOPED_TRACE("round " + std::to_string(round));
    expect_same_in_all_cuts(text, stops);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(found, 50);
  EXPECT_LT(found, 290);
}

TEST(StopStrings, PassesOnWhatCannotBeAPrefix) {
  StopStrings strings({"<end>", "STOP"});
  EXPECT_EQ(strings.push("hello <"), "hello ");
  EXPECT_EQ(strings.push("e"), "");
  EXPECT_EQ(strings.push("x S"), "<ex ");
  EXPECT_EQ(strings.push("T"), "");
  EXPECT_EQ(strings.finish(), "ST");
}

TEST(StopStrings, WithoutAnyTheTextIsPassedOn) {
  StopStrings strings({});
  EXPECT_EQ(strings.push("abc"), "abc");
  EXPECT_FALSE(strings.found());
  EXPECT_EQ(strings.finish(), "");
}

}  // namespace
}  // namespace quintet
