#include "tokenizers/token_index.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quintet {
namespace {

StringTable table_of(const std::vector<std::string>& tokens) {
  StringTable table;
  for (const std::string& token : tokens) EXPECT_TRUE(table.add(token));
  return table;
}

std::optional<uint32_t> find(const TokenIndex& index, const StringTable& table, std::string_view token) {
  return index.find(table, TokenIndex::hash_of(token), {}, token);
}

TEST(TokenIndex, FindsTokensByTheirTwoParts) {
  const StringTable table = table_of({"##ing", "ing", "", "##"});
  const auto index = TokenIndex::create(table);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->find(table, TokenIndex::hash_of("##ing"), "##", "ing"), 0);
  EXPECT_EQ(find(*index, table, "ing"), 1);
  EXPECT_EQ(find(*index, table, ""), 2);
  EXPECT_EQ(find(*index, table, "##"), 3);
  EXPECT_EQ(find(*index, table, "#"), std::nullopt);
}

TEST(TokenIndex, FindsTheLastOfEqualTokens) {
  const StringTable table = table_of({"a", "b", "a"});
  const auto index = TokenIndex::create(table);
  ASSERT_TRUE(index);
  EXPECT_EQ(find(*index, table, "a"), 2);
}

TEST(TokenIndex, TakesLargeRegularVocabularies) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 300'000; ++i) tokens.push_back("token" + std::to_string(i));
  const StringTable table = table_of(tokens);
  const auto index = TokenIndex::create(table);
  ASSERT_TRUE(index);
  for (uint32_t i = 0; i < tokens.size(); ++i) ASSERT_EQ(find(*index, table, tokens[i]), i);
  EXPECT_EQ(find(*index, table, "token300000"), std::nullopt);
}

// Eight letters that spell a number.
std::string spelled(uint64_t number) {
  std::string text;
  for (int i = 0; i < 8; ++i, number /= 26) text += static_cast<char>('a' + number % 26);
  return text;
}

// Two continuations of a text with the same hash.
std::pair<std::string, std::string> colliding_continuations(const std::string& text) {
  std::unordered_map<uint32_t, std::string> seen;
  for (uint64_t i = 0;; ++i) {
    const std::string continuation = spelled(i * 2654435761);
    const auto [entry, added] = seen.emplace(TokenIndex::hash_of(text + continuation), continuation);
    if (!added) return {entry->second, continuation};
  }
}

// Pairs of continuations that collide make 2^n texts with one hash.
TEST(TokenIndex, RejectsTokensMadeToCollide) {
  std::vector<std::string> tokens = {""};
  for (int round = 0; round < 9; ++round) {
    const auto [one, other] = colliding_continuations(tokens[0]);
    const size_t count = tokens.size();
    for (size_t i = 0; i < count; ++i) {
      tokens.push_back(tokens[i] + other);
      tokens[i] += one;
    }
  }
  ASSERT_EQ(TokenIndex::hash_of(tokens.front()), TokenIndex::hash_of(tokens.back()));
  const auto index = TokenIndex::create(table_of(tokens));
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().reason, Reason::limit);
}

}  // namespace
}  // namespace quintet
