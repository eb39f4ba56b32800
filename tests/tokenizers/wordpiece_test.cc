#include "tokenizers/wordpiece/wordpiece.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "tests/tokenizers/byte_level_fixtures.h"
#include "tests/tokenizers/fixtures.h"

namespace quintet {
namespace {

using test::encode;
using test::make_wordpiece;
using test::read_wordpiece;
using Ids = std::vector<uint32_t>;

const TextCodec& bert() {
  static const TextCodec tokenizer = read_wordpiece("tokenizers/minilm/vocab.txt");
  return tokenizer;
}

const std::vector<std::string> kTokens = {"[PAD]", "[UNK]",  "[CLS]", "[SEP]", "[MASK]", "un",
                                          "##aff", "##able", "##a",   "a",     "!",      "é"};
enum : uint32_t { pad, unk, cls, sep, mask, un, aff, able, cont_a, a, bang };
const SpecialIds kSpecial = {.bos = {}, .eos = {}, .pad = pad, .unk = unk, .mask = mask, .cls = cls, .sep = sep};

Ids framed(const TextCodec& tokenizer, std::string_view text) {
  Ids ids = encode(tokenizer, text);
  ids.insert(ids.begin(), *tokenizer.find("[CLS]"));
  ids.push_back(*tokenizer.find("[SEP]"));
  return ids;
}

TEST(WordPiece, AgreesWithTheVectorsOfTransformersJs) {
  const Json vectors = test::read_json_fixture("tokenizers/bert-base-uncased/vectors.json");
  size_t compared = 0;
  for (const Json& vector : *vectors.find("cases")->as_array()) {
    const std::string& name = *vector.find("case")->as_string();
    if (name == "TEXT_PAIR") continue;  // two texts in one sequence
    EXPECT_EQ(framed(bert(), *vector.find("text")->as_string()), test::ids_of(*vector.find("ids"))) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 29);
}

Ids parse_ids(const std::string& line) {
  Ids ids;
  for (const std::string& id : test::split(line, " ")) {
    if (!id.empty()) ids.push_back(static_cast<uint32_t>(std::stoul(id)));
  }
  return ids;
}

TEST(WordPiece, AgreesWithTheCasesOfLlamaCpp) {
  const std::string file = "tokenizers/bert-base-uncased/ggml-vocab-bert-bge.gguf";
  const auto texts = test::split(test::read_text_fixture(file + ".inp"), "\n__ggml_vocab_test__\n");
  const auto ids = test::split(test::read_text_fixture(file + ".out"), "\n");
  ASSERT_EQ(texts.size(), 47);
  ASSERT_EQ(ids.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(encode(bert(), texts[i]), parse_ids(ids[i])) << texts[i];
}

TEST(WordPiece, AgreesWithTheFixturesOfTheWeightsFormat) {
  const TextCodec tokenizer = read_wordpiece("tokenizers/embd/vocab.txt");
  const Json cases = test::read_json_fixture("embd/tokens.json");
  ASSERT_EQ(cases.as_array()->size(), 21);
  for (const Json& each : *cases.as_array()) {
    const std::string& text = *each.find("text")->as_string();
    EXPECT_EQ(framed(tokenizer, text), test::ids_of(*each.find("ids"))) << text;
  }
}

TEST(WordPiece, TakesTheLongestTokensFromTheLeft) {
  const TextCodec tokenizer = make_wordpiece(kTokens);
  EXPECT_EQ(encode(tokenizer, "unaffable"), (Ids{un, aff, able}));
  EXPECT_EQ(encode(tokenizer, "unaaffable a"), (Ids{un, cont_a, aff, able, a}));
  EXPECT_EQ(encode(tokenizer, "unaf"), (Ids{unk}));         // no way back to a shorter piece
  EXPECT_EQ(encode(tokenizer, "affable"), (Ids{unk}));      // a continuation does not begin a word
  EXPECT_EQ(encode(tokenizer, "aun"), (Ids{unk}));          // a beginning does not continue one
  EXPECT_EQ(encode(tokenizer, "##a"), (Ids{unk, unk, a}));  // the marks are of the vocabulary alone
}

// The definition, with every candidate looked up.
Ids longest_matches(const std::vector<std::string>& vocabulary, const std::string& word) {
  Ids ids;
  for (size_t begin = 0; begin < word.size();) {
    size_t length = word.size() - begin;
    auto token = vocabulary.end();
    for (; length > 0 && token == vocabulary.end(); --length) {
      const std::string candidate = (begin > 0 ? "##" : "") + word.substr(begin, length);
      token = std::find(vocabulary.begin(), vocabulary.end(), candidate);
    }
    if (token == vocabulary.end()) return {unk};
    ids.push_back(static_cast<uint32_t>(token - vocabulary.begin()));
    begin += length + 1;
  }
  return ids;
}

TEST(WordPiece, EqualsTheDefinitionOnRandomVocabularies) {
  const uint32_t seed = 7;
  std::mt19937 random(seed);
  const auto random_word = [&](size_t longest) {
    std::string word;
    for (size_t length = 1 + random() % longest; length > 0; --length) word += "ab"[random() % 8 == 0];
    return word;
  };
  size_t known = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::string> tokens = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##a"};
    for (int i = 0; i < 20; ++i) tokens.push_back((random() % 2 ? "##" : "") + random_word(45));
    const TextCodec tokenizer = make_wordpiece(tokens);
    // The last of equal tokens counts: hide the others from the definition.
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (*tokenizer.find(tokens[i]) != i) tokens[i] = "(hidden)";
    }
    for (int i = 0; i < 50; ++i) {
      const std::string word = random_word(90);
      const Ids expected = longest_matches(tokens, word);
      EXPECT_EQ(encode(tokenizer, word), expected) << word << ", seed " << seed << ", round " << round;
      known += expected != Ids{unk};
    }
  }
  EXPECT_GT(known, 100);  // the comparison is not one of unknown words
}

TEST(WordPiece, AppendsToTheGivenList) {
  const auto tokenizer = WordPiece::create(test::string_table(kTokens), kSpecial);
  ASSERT_TRUE(tokenizer);
  Ids ids = {7};
  ASSERT_TRUE((*tokenizer)->encode("unx a", true, ids));
  EXPECT_EQ(ids, (Ids{7, unk, a}));
}

TEST(WordPiece, TakesWordsOfUpToAHundredCharacters) {
  const TextCodec tokenizer = make_wordpiece(kTokens);
  Ids expected(100, cont_a);
  expected[0] = a;
  EXPECT_EQ(encode(tokenizer, std::string(100, 'a')), expected);
  EXPECT_EQ(encode(tokenizer, std::string(101, 'a')), Ids{unk});
  EXPECT_EQ(encode(tokenizer, std::string(101, 'a') + "!a"), (Ids{unk, bang, a}));

  std::string accented;  // two characters in NFD, of which one is dropped: they do not count
  for (int i = 0; i < 100; ++i) accented += "\u00e1";
  EXPECT_EQ(encode(tokenizer, accented), expected);
  EXPECT_EQ(encode(tokenizer, accented + "\u00e1"), Ids{unk});
}

// Matches Hugging Face's tokenizers for BERT: tested against tokenizers 0.23.2.
TEST(WordPiece, AcceptsSpecialTokensInText) {
  const TextCodec tokenizer = make_wordpiece(kTokens);
  EXPECT_EQ(encode(tokenizer, "[CLS] a[MASK]a [SEP][PAD]"), (Ids{cls, a, mask, a, sep, pad}));
  EXPECT_EQ(encode(tokenizer, "[UNK]"), Ids{unk});
  EXPECT_EQ(encode(tokenizer, "[[MASK]]"), (Ids{unk, mask, unk}));
  EXPECT_EQ(encode(tokenizer, "[mask]"), (Ids{unk, unk, unk}));
  EXPECT_EQ(encode(tokenizer, "[MASK"), (Ids{unk, unk}));
  EXPECT_EQ(encode(tokenizer, "[MA\xE2\x80\x8DSK]"), (Ids{unk, unk, unk}));  // looked for before cleaning
}

// They are the business of TextCodec.
TEST(WordPiece, DoesNotLookForSpecialTokensItself) {
  const auto tokenizer = WordPiece::create(test::string_table(kTokens), kSpecial);
  ASSERT_TRUE(tokenizer);
  Ids ids;
  ASSERT_TRUE((*tokenizer)->encode("a[MASK]", true, ids));
  EXPECT_EQ(ids, (Ids{a, unk, unk, unk}));
}

TEST(WordPiece, FindsEveryTokenOfItsVocabulary) {
  ASSERT_EQ(bert().vocabulary_size(), 30522);
  for (uint32_t id = 0; id < bert().vocabulary_size(); ++id) {
    ASSERT_EQ(bert().find(bert().token(id)), id) << bert().token(id);
  }
  EXPECT_EQ(bert().find("notatokenatall"), std::nullopt);
  EXPECT_EQ(bert().find(""), std::nullopt);
  EXPECT_EQ(bert().find("[CLS]"), 101);
}

TEST(WordPiece, IsSmall) {
  const auto tokens = test::lines_of(test::read_text_fixture("tokenizers/minilm/vocab.txt"));
  SpecialIds special;
  special.unk = 100;
  const auto tokenizer = WordPiece::create(test::string_table(tokens), special);
  ASSERT_TRUE(tokenizer);
  EXPECT_LT((*tokenizer)->memory_bytes(), 1u << 20);
}

TEST(WordPiece, RejectsSpecialTokensOutsideTheVocabulary) {
  const auto refusal = [](const SpecialIds& special) {
    const auto tokenizer = WordPiece::create(test::string_table({"a"}), special);
    return tokenizer ? std::nullopt : std::optional(tokenizer.error().reason);
  };
  SpecialIds special;
  EXPECT_EQ(refusal(special), Reason::missing);
  special.unk = 0;
  EXPECT_EQ(refusal(special), std::nullopt);
  for (auto member : {&SpecialIds::pad, &SpecialIds::unk, &SpecialIds::cls, &SpecialIds::sep, &SpecialIds::mask}) {
    SpecialIds outside = special;
    outside.*member = 1;
    EXPECT_EQ(refusal(outside), Reason::limit);
  }
}

TEST(WordPiece, SkipsInvalidUtf8) {
  const TextCodec tokenizer = make_wordpiece(kTokens);
  EXPECT_EQ(encode(tokenizer, "u\xEDn\xA0\x80"), Ids{un});  // halves of a lone surrogate
  EXPECT_EQ(encode(tokenizer, "u\xFFn \xC0\xAF"), Ids{un});
  EXPECT_EQ(encode(tokenizer, std::string_view("u\0n\0 a", 6)), (Ids{un, a}));
  EXPECT_EQ(encode(tokenizer, "a\xF0\x9F"), Ids{a});  // cut short
  EXPECT_EQ(encode(tokenizer, ""), Ids{});
}

// A word ends where white space stands: the ids of two texts joined by it are the ids of both.
TEST(WordPiece, TextsJoinedByASpaceAreTokenizedEachByItself) {
  const uint32_t seed = 20240521;
  std::mt19937 random(seed);
  for (int round = 0; round < 500; ++round) {
    std::string texts[2];
    for (std::string& text : texts) {
      for (int i = 0; i < 20; ++i) append_utf8(random() % 2 ? random() % 0x400 : random() % 0x20000, text);
    }
    Ids both = encode(bert(), texts[0]);
    const Ids second = encode(bert(), texts[1]);
    both.insert(both.end(), second.begin(), second.end());
    EXPECT_EQ(encode(bert(), texts[0] + " " + texts[1]), both) << "seed " << seed << ", round " << round;
  }
}

std::string repeated(std::string_view piece, size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

// Texts that would take minutes if anything were quadratic.
TEST(WordPiece, TakesLinearTime) {
  constexpr size_t kBytes = 4'000'000;
  EXPECT_EQ(encode(bert(), repeated("a", kBytes)), Ids{100});
  EXPECT_EQ(encode(bert(), repeated("\u0301", kBytes)), Ids{});                  // marks that are dropped
  EXPECT_EQ(encode(bert(), repeated("\u302e\u1b44", kBytes)), Ids{100});         // and that are sorted
  EXPECT_EQ(encode(bert(), repeated("\u4e00", kBytes)).size(), kBytes / 3 + 1);  // ideographs
  EXPECT_EQ(encode(bert(), repeated("[", kBytes)).size(), kBytes);
  EXPECT_EQ(encode(bert(), repeated("\xF0\x9F", kBytes)), Ids{});
  const std::string word = std::string(100, 'a') + " ";  // 50 tokens
  EXPECT_EQ(encode(bert(), repeated(word, 40'000 * word.size())).size(), 40'000 * 50);
}

}  // namespace
}  // namespace quintet
