#include "tokenizers/sentencepiece/normalizer.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/tokenizers/character_maps.h"
#include "tests/tokenizers/sentencepiece_models.h"

namespace quintet::test {
namespace {

CharacterMap make(const std::string& compiled) {
  auto map = CharacterMap::create(compiled);
  EXPECT_TRUE(map) << (map ? "" : map.error().detail);
  return map ? std::move(*map) : CharacterMap();
}

void expect_rule(const CharacterMap& map, std::string_view text, size_t size, std::string_view replacement) {
  const auto rule = map.longest(text, 0);
  EXPECT_EQ(rule.size, size) << text;
  EXPECT_EQ(rule.replacement, replacement) << text;
}

TEST(CharacterMap, FindsTheLongestRule) {
  const auto map =
      make(compile_character_map({{"a", "x"}, {"abc", "yy"}, {"é", "e"}, {"e\u0301", "é"}, {"\t", " "}, {"z", ""}}));
  expect_rule(map, "a", 1, "x");
  expect_rule(map, "ab", 1, "x");
  expect_rule(map, "abcd", 3, "yy");
  expect_rule(map, "é", 2, "e");
  expect_rule(map, "e\u0301", 3, "é");
  expect_rule(map, "e", 0, "");
  expect_rule(map, "zz", 1, "");
  expect_rule(map, "q", 0, "");
  expect_rule(map, std::string_view("\0", 1), 0, "");
  EXPECT_EQ(map.longest("qabc", 1).size, 3);
  expect_rule(CharacterMap(), "a", 0, "");
}

// A rule for the first byte of a character would leave half of it.
TEST(CharacterMap, RewritesWholeCharactersOnly) {
  const auto map = make(compile_character_map({{"\xC3", "x"}, {"a", "é"}}));
  expect_rule(map, "é", 0, "");
  expect_rule(map, "\xC3", 1, "x");
  std::string inside = compile_character_map({{"a", "é"}});
  const size_t value_unit = 4 + 4 * 512;  // after the size: the unit that holds the rule's place among the strings
  ASSERT_EQ(inside[value_unit], 0);
  inside[value_unit] = 1;
  expect_rule(make(inside), "a", 0, "");
}

TEST(CharacterMap, RejectsBrokenOnes) {
  const auto reason = [](const std::string& compiled) {
    const auto map = CharacterMap::create(compiled);
    EXPECT_FALSE(map);
    return map ? Reason::checksum : map.error().reason;
  };
  const std::string good = compile_character_map({{"a", "x"}});
  EXPECT_EQ(reason("abc"), Reason::truncated);
  EXPECT_EQ(reason(good.substr(0, 100)), Reason::limit);
  EXPECT_EQ(reason(std::string(8, '\0')), Reason::limit);
  EXPECT_EQ(reason(good + "\xFF"), Reason::invalid_utf8);
  EXPECT_EQ(reason(good + std::string(257, 'x')), Reason::limit);
}

// A look-up in any units ends, and stays inside.
TEST(CharacterMap, AnyBytesAreSafe) {
  std::mt19937 random(5);
  const std::string good = compile_character_map({{"a", "x"}, {"aa", "y"}, {"ab", "z"}, {"b", "é"}});
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "abé\x01"[random() % 5];
  for (int round = 0; round < 2000; ++round) {
    std::string bad = good;
    for (size_t changes = 1 + random() % 40; changes > 0; --changes) {
      const size_t unit = 4 + 4 * (random() % 2 ? random() % 3 : 256 * (1 + random() % 5) + 0x60 + random() % 4);
      if (unit + 4 <= bad.size()) bad[unit + random() % 4] = static_cast<char>(random());
    }
    const auto map = CharacterMap::create(bad);
    if (!map) continue;
    for (size_t at = 0; at < 50; ++at) {
      const auto rule = map->longest(text, at);
      EXPECT_LE(at + rule.size, text.size());
      EXPECT_LE(rule.replacement.size(), 256);
    }
  }
}

// A trie that leads back into itself would match forever, but rules still have an end.
TEST(CharacterMap, CyclesEnd) {
  std::string circle = compile_character_map({{"a", "x"}});
  const auto put = [&circle](size_t index, uint32_t unit) {
    for (int i = 0; i < 4; ++i) circle[4 + 4 * index + i] = static_cast<char>(unit >> (8 * i));
  };
  put(256 ^ 'a', (0u ^ 'a') << 10 | 1u << 8 | 'a');  // its children are where it is itself
  put(256, 1u << 31);
  const auto map = make(circle);
  EXPECT_EQ(map.longest(std::string(100000, 'a'), 0).size, 256);
}

std::vector<Piece> letters() {
  return {{"<unk>", 0, PieceType::unknown}, {"▁", -1}, {"a", -1}, {"b", -1}, {"Ⓐ", 0, PieceType::user_defined}};
}

TEST(CharacterMap, RewritesBeforeSpacesAreCounted) {
  SentencePieceSettings settings;
  settings.character_map =
      compile_character_map({{"Ⓐ", "a"}, {"ⓑ", "b"}, {"\u3000", " "}, {"\u200B", ""}, {"½", " ab "}});
  const auto keeps = make_sentencepiece(letters(), settings);
  EXPECT_EQ(pieces_of(*keeps, "ⓑ\u3000ⓑ\u200B"), "▁ b ▁ b");
  EXPECT_EQ(pieces_of(*keeps, "Ⓐⓑ"), "▁ Ⓐ b");  // a symbol of the user stays
  EXPECT_EQ(pieces_of(*keeps, "a½"), "▁ a ▁ a b ▁");
  settings.remove_extra_whitespaces = true;
  const auto removes = make_sentencepiece(letters(), settings);
  EXPECT_EQ(pieces_of(*removes, "\u3000 a \u3000\u200B b½½\u3000"), "▁ a ▁ b ▁ a b ▁ a b");
}

}  // namespace
}  // namespace quintet::test
