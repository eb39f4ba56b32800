// The places of tokens, with normalizers that are written out here. Those of real tokenizers are compared in
// tests/npm/label/places.test.mjs.

#include "tokenizers/token_places.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quintet {
namespace {

using Places = std::vector<TokenPlace>;

// Rewrites these texts, and no others.
struct Rule {
  std::string_view from, to;
};

Places places_of(std::string_view text, const TokenSpelling& spelling, const std::vector<Rule>& rules = {}) {
  const auto places = find_token_places(text, spelling, [&rules](std::string_view part) -> Result<std::string> {
    for (const Rule& rule : rules) {
      if (part == rule.from) return std::string(rule.to);
    }
    return std::string(part);
  });
  EXPECT_TRUE(places);
  return places ? *places : Places();
}

TEST(TokenPlaces, CountUtf16) {
  const std::string text = "a\U0001f600\u00e9";
  EXPECT_EQ(places_of(text, {.text = text, .ends = {1, 5, 7}}), (Places{{0, 1}, {1, 3}, {3, 4}}));
  // Parts of a character have its place.
  EXPECT_EQ(places_of(text, {.text = text, .ends = {3, 6, 7}}), (Places{{0, 3}, {1, 4}, {3, 4}}));
}

TEST(TokenPlaces, LeaveOutWhiteSpaceAtTheirEnds) {
  EXPECT_EQ(places_of(" a b", {.text = " a b", .ends = {2, 4}}), (Places{{1, 2}, {3, 4}}));
  EXPECT_EQ(places_of("a\n\nb", {.text = "ab", .ends = {1, 2}}), (Places{{0, 1}, {3, 4}}));
  EXPECT_EQ(places_of("  ", {.text = "  ", .ends = {1, 2}}), (Places{{0, 1}, {1, 2}}));
}

TEST(TokenPlaces, OfNormalizedCharacters) {
  // Longer, shorter and nothing.
  const std::vector<Rule> rules = {{"\ufb01", "fi"}, {"X", ""}, {"``", "\""}};
  EXPECT_EQ(places_of("\ufb01ne", {.text = "fine", .ends = {1, 4}}, rules), (Places{{0, 1}, {0, 3}}));
  EXPECT_EQ(places_of("aXXb", {.text = "ab", .ends = {1, 2}}, rules), (Places{{0, 1}, {3, 4}}));
  EXPECT_EQ(places_of("``a", {.text = "\"a", .ends = {1, 2}}, rules), (Places{{0, 1}, {2, 3}}));
}

// Matches huggingface/tokenizers: a composed character has the place of the first.
TEST(TokenPlaces, OfComposedCharacters) {
  const std::vector<Rule> rules = {{"e\u0301", "\u00e9"}};
  EXPECT_EQ(places_of("ae\u0301b", {.text = "a\u00e9b", .ends = {1, 3, 4}}, rules), (Places{{0, 1}, {1, 2}, {3, 4}}));
}

TEST(TokenPlaces, OfAnInsertedSpaceIsTheNextCharacter) {
  const std::string mark = "\u2581";
  const TokenSpelling spelling = {.text = mark + "a" + mark + "b", .ends = {4, 8}, .space = mark};
  EXPECT_EQ(places_of("a b", spelling), (Places{{0, 1}, {2, 3}}));
  EXPECT_EQ(places_of("  a   b", spelling), (Places{{2, 3}, {6, 7}}));
}

// Places are in the text, regardless of a tokenizer's settings.
TEST(TokenPlaces, OfUntraceableTokensAreWithinTheText) {
  EXPECT_EQ(places_of("abc", {.text = "xyz", .ends = {1, 3}}).size(), 2);
  EXPECT_EQ(places_of("", {.text = "xyz", .ends = {1, 3}}), (Places{{0, 0}, {0, 0}}));
  EXPECT_EQ(places_of("abc", {.text = "abc", .ends = {0, 3, 3}}), (Places{{0, 0}, {0, 3}, {3, 3}}));
}

}  // namespace
}  // namespace quintet
