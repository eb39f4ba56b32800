// Byte-level BPE against the ids of other programs: llama.cpp's and transformers.js' test vectors, what
// @huggingface/tokenizers gives for random text, and a word for word transcript of GPT-2's own algorithm.

#include "tokenizers/bpe/byte_bpe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <sstream>

#include "tests/tokenizers/byte_level_fixtures.h"
#include "tests/tokenizers/fixtures.h"

namespace quintet {
namespace {

using test::byte_level_tokenizer;
using test::decode;
using test::encode;
using test::ids_of;
using test::read_json_fixture;
using test::read_text_fixture;

class ByteBpeFixtures : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    for (const char* name : {"gpt2", "starcoder", "llama3"}) tokenizers_[name] = byte_level_tokenizer(name);
  }
  static void TearDownTestSuite() { tokenizers_.clear(); }
  const Tokenizer& tokenizer() const { return *tokenizers_.at(GetParam()); }

 private:
  inline static std::map<std::string, std::unique_ptr<Tokenizer>> tokenizers_;
};

TEST_P(ByteBpeFixtures, EqualsLlamaCpp) {
  const auto texts = test::split(read_text_fixture("tokenizers/bert-base-uncased/ggml-vocab-bert-bge.gguf.inp"),
                                 "\n__ggml_vocab_test__\n");
  const auto lines = test::split(read_text_fixture("tokenizers/byte_level/" + std::string(GetParam()) + ".out"), "\n");
  ASSERT_EQ(texts.size(), 47);
  for (size_t i = 0; i < texts.size(); ++i) {
    std::istringstream line(lines[i]);
    const std::vector<uint32_t> expected{std::istream_iterator<uint32_t>(line), {}};
    EXPECT_EQ(encode(tokenizer(), texts[i]), expected) << texts[i];
    EXPECT_EQ(decode(tokenizer(), expected), texts[i]);
  }
}

TEST_P(ByteBpeFixtures, EqualsHuggingFaceOnRandomText) {
  const Json cases = read_json_fixture("tokenizers/byte_level/random.json");
  ASSERT_EQ(cases.as_array()->size(), 400);
  for (const Json& each : *cases.as_array()) {
    const std::string& text = *each.find("text")->as_string();
    const std::vector<uint32_t> ids = encode(tokenizer(), text);
    EXPECT_EQ(ids, ids_of(*each.find(GetParam()))) << text;
    if (GetParam() == std::string("starcoder")) continue;  // it lacks some bytes
    EXPECT_EQ(decode(tokenizer(), ids), text);
  }
}

TEST_P(ByteBpeFixtures, NoTextSpellsASpecialToken) {
  const auto& fixture = test::byte_level_fixture(GetParam());
  for (const std::string& special : fixture.special) {
    for (const uint32_t id : encode(tokenizer(), special)) {
      EXPECT_EQ(std::ranges::find(fixture.special, tokenizer().token(id)), fixture.special.end()) << special;
    }
  }
}

// In quadratic time, each would take minutes.
TEST_P(ByteBpeFixtures, VeryLongWordsSurviveTheRoundTrip) {
  for (const std::string unit : {"a", " ", "7", "\n", "\u00e9", "\U0001F600", "\u4e00", "-", "\u0301"}) {
    std::string text;
    while (text.size() < (1 << 18)) text += unit;
    const std::vector<uint32_t> ids = encode(tokenizer(), text);
    EXPECT_EQ(decode(tokenizer(), ids), text) << unit;
  }
}

INSTANTIATE_TEST_SUITE_P(Vocabularies, ByteBpeFixtures, testing::Values("gpt2", "starcoder", "llama3"),
                         [](const auto& info) { return std::string(info.param); });

size_t expect_vectors(const std::string& name, std::vector<uint32_t> begin) {
  const auto tokenizer = byte_level_tokenizer(name);
  const Json vectors = read_json_fixture("tokenizers/byte_level/" + name + ".vectors.json");
  size_t count = 0;
  for (const Json& each : *vectors.find("cases")->as_array()) {
    const std::string& text = *each.find("text")->as_string();
    std::vector<uint32_t> ids = begin;
    EXPECT_TRUE(tokenizer->encode(text, true, ids));
    EXPECT_EQ(ids, ids_of(*each.find("ids"))) << text;
    ++count;
  }
  return count;
}

TEST(ByteBpe, EqualsTransformersJs) {
  EXPECT_EQ(expect_vectors("gpt2", {}), 26);
  EXPECT_EQ(expect_vectors("llama3", {128000}), 37);
}

// Invalid bytes are U+FFFD each, or each ill-formed sequence, as in a browser's TextDecoder.
TEST(ByteBpe, IllFormedTextIsReplaced) {
  const auto tokenizer = byte_level_tokenizer("gpt2");
  EXPECT_EQ(encode(*tokenizer, "a\xFF\xE4\xB8z"), encode(*tokenizer, "a\uFFFD\uFFFDz"));
}

struct Small {
  std::vector<std::string> tokens, merges;
  std::vector<uint32_t> ids = {};
  FlagList added = {};
  ByteBpeSettings settings = {};
};

Result<std::unique_ptr<Tokenizer>> create(const Small& small) {
  return ByteBpe::create({.tokens = test::string_table(small.tokens),
                          .ids = small.ids,
                          .merges = test::string_table(small.merges),
                          .added = small.added},
                         small.settings);
}

std::vector<uint32_t> encode_small(const Small& small, std::string_view text) {
  const auto tokenizer = create(small);
  EXPECT_TRUE(tokenizer);
  return tokenizer ? encode(**tokenizer, text) : std::vector<uint32_t>();
}

TEST(ByteBpe, BytesWithoutATokenAreSkippedOrUnknown) {
  const Small small = {.tokens = {"a", "b", "ab", "?"}, .merges = {"a b"}};
  EXPECT_EQ(encode_small(small, "axb"), std::vector<uint32_t>({2}));
  Small known = small;
  known.settings.unknown = 3;
  EXPECT_EQ(encode_small(known, "axb"), std::vector<uint32_t>({0, 3, 1}));
}

TEST(ByteBpe, WholeWordsWinOverMerges) {
  Small small = {.tokens = {"a", "b", "c", "ab", "abc", "abca"}, .merges = {"a b"}};
  small.added = {false, false, false, false, false, true};
  EXPECT_EQ(encode_small(small, "abc"), std::vector<uint32_t>({3, 2}));
  small.settings.ignore_merges = true;
  EXPECT_EQ(encode_small(small, "abc"), std::vector<uint32_t>({4}));
  EXPECT_EQ(encode_small(small, "abca"), std::vector<uint32_t>({3, 2, 0}));  // which is an added one
}

// openai/CLIP, simple_tokenizer.py: the last letter of a word is another symbol than elsewhere.
TEST(ByteBpe, WordsMayEndWithASuffix) {
  Small small = {.tokens = {"a", "b", "a</w>", "b</w>", "ab", "ab</w>", "aab</w>"},
                 .merges = {"a b", "a b</w>", "a ab</w>"}};
  small.settings.word_suffix = "</w>";
  small.settings.pre_tokenizer =
      *PreTokenizer::create({{.expression = "[ab]+", .behavior = SplitBehavior::removed, .inverts = true}});
  EXPECT_EQ(encode_small(small, "a"), std::vector<uint32_t>({2}));
  EXPECT_EQ(encode_small(small, "ab aab"), std::vector<uint32_t>({5, 6}));
  EXPECT_EQ(encode_small(small, "aba b"), std::vector<uint32_t>({4, 2, 3}));
  const auto tokenizer = create(small);
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(decode(**tokenizer, {4, 2, 3}), "aba b ");
}

TEST(ByteBpe, IdsNeedNotBePositions) {
  const auto tokenizer = create({.tokens = {"a", "b", "ab", "\u0120"}, .merges = {"a b"}, .ids = {9, 70000, 2, 0}});
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ((*tokenizer)->size(), 70001);
  EXPECT_EQ(encode(**tokenizer, "abba "), std::vector<uint32_t>({2, 70000, 9, 0}));
  EXPECT_EQ(decode(**tokenizer, {2, 70000, 9, 0}), "abba ");
  EXPECT_EQ((*tokenizer)->token(0), "\u0120");
  EXPECT_EQ((*tokenizer)->token(5), "");
  EXPECT_EQ(decode(**tokenizer, {5}), "");
}

TEST(ByteBpe, AddedTokensAreDecodedAsTheyStand) {
  const auto tokenizer =
      create({.tokens = {"\u0120", "\u0120\u0120", "a b"}, .merges = {}, .added = {false, true, true}});
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(decode(**tokenizer, {0}), " ");
  EXPECT_EQ(decode(**tokenizer, {1}), "\u0120\u0120");
  EXPECT_EQ(decode(**tokenizer, {2}), "a b");
}

TEST(ByteBpe, RejectsContradictions) {
  const auto reason_of = [](const Small& small) {
    const auto tokenizer = create(small);
    EXPECT_FALSE(tokenizer);
    return tokenizer ? Reason::trailing : tokenizer.error().reason;
  };
  EXPECT_EQ(reason_of({.tokens = {}, .merges = {}}), Reason::missing);
  EXPECT_EQ(reason_of({.tokens = {"a"}, .merges = {"aa"}}), Reason::malformed);
  EXPECT_EQ(reason_of({.tokens = {"a"}, .merges = {"a a"}}), Reason::mismatch);
  EXPECT_EQ(reason_of({.tokens = {"aa"}, .merges = {"a a"}}), Reason::mismatch);
  EXPECT_EQ(reason_of({.tokens = {"a", "b"}, .merges = {}, .ids = {1}}), Reason::mismatch);
  EXPECT_EQ(reason_of({.tokens = {"a", "b"}, .merges = {}, .ids = {}, .added = {true}}), Reason::mismatch);
  EXPECT_EQ(reason_of({.tokens = {"a", "b"}, .merges = {}, .ids = {4, 4}}), Reason::duplicate);
}

// GPT-2's encoder.py: the pair with the best merge is put together wherever it stands, until no pair has a merge.
std::vector<std::string> merge_as_gpt2(std::vector<std::string> word, const std::map<std::string, size_t>& ranks) {
  while (true) {
    size_t best = std::numeric_limits<size_t>::max();
    for (size_t i = 1; i < word.size(); ++i) {
      const auto rank = ranks.find(word[i - 1] + " " + word[i]);
      if (rank != ranks.end()) best = std::min(best, rank->second);
    }
    if (best == std::numeric_limits<size_t>::max()) return word;
    std::vector<std::string> merged;
    for (size_t i = 0; i < word.size(); ++i) {
      const auto rank = i + 1 < word.size() ? ranks.find(word[i] + " " + word[i + 1]) : ranks.end();
      const bool is_best = rank != ranks.end() && rank->second == best;
      merged.push_back(is_best ? word[i] + word[i + 1] : word[i]);
      i += is_best;
    }
    word = std::move(merged);
  }
}

// Merges as training makes them: each joins letters or earlier merges.
TEST(ByteBpe, EqualsTheAlgorithmOfGpt2) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Small small = {.tokens = {"a", "b", "c"}, .merges = {}};
    std::map<std::string, size_t> ranks;
    for (int i = 0; i < 30; ++i) {
      const std::string left = small.tokens[random() % small.tokens.size()];
      const std::string right = small.tokens[random() % small.tokens.size()];
      if (std::ranges::find(small.tokens, left + right) != small.tokens.end()) continue;
      ranks.emplace(left + " " + right, small.merges.size());
      small.merges.push_back(left + " " + right);
      small.tokens.push_back(left + right);
    }
    std::vector<std::string> letters;
    std::string text;
    for (int i = 0; i < 60; ++i) text += letters.emplace_back(1, "abc"[random() % 3]);
    const auto tokenizer = create(small);
    ASSERT_TRUE(tokenizer);
    std::vector<std::string> tokens;
    for (const uint32_t id : encode(**tokenizer, text)) tokens.emplace_back((*tokenizer)->token(id));
    EXPECT_EQ(tokens, merge_as_gpt2(letters, ranks)) << text;
  }
}

}  // namespace
}  // namespace quintet
