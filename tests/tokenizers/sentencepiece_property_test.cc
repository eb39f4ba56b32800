// Random vocabularies and texts against the plain reference, and what must hold for any text.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <set>

#include "tests/tokenizers/sentencepiece_models.h"
#include "tests/tokenizers/sentencepiece_reference.h"

namespace quintet::test {
namespace {

using Random = std::mt19937;

constexpr const char* kAlphabet[] = {"a", "b", "c", "▁", "é", "日"};

std::string random_text(Random& random, size_t max, size_t letters = std::size(kAlphabet)) {
  std::string text;
  for (size_t left = random() % (max + 1); left > 0; --left) text += kAlphabet[random() % letters];
  return text;
}

// "é" and "日" are not pieces, so that they are unknown where no longer piece has them.
SentencePieceVocabulary random_vocabulary(Random& random, bool bytes, bool symbols, bool equal_scores) {
  std::vector<Piece> pieces = {{"<unk>", 0, PieceType::unknown}, {"<s>", 0, PieceType::control}};
  if (bytes) {
    for (int byte = 0; byte < 256; ++byte) {
      char name[8];
      std::snprintf(name, sizeof(name), "<0x%02X>", byte);
      pieces.push_back({name, 0, PieceType::byte});
    }
  }
  std::set<std::string> texts;
  const auto add = [&](const std::string& text, PieceType type) {
    const float steps = equal_scores ? 4 : 1 << 20;
    if (!text.empty() && texts.insert(text).second) {
      const float fraction = static_cast<float>(random()) / 4294967296.0f;
      pieces.push_back({text, -1 - 16 * std::floor(steps * fraction) / steps, type});
    }
  };
  for (const char* letter : {"a", "b", "c", "▁"}) add(letter, PieceType::normal);
  if (symbols) {
    for (int i = 0; i < 3; ++i) add(random_text(random, 3), PieceType::user_defined);
  }
  for (int i = 0; i < 40; ++i) add(random_text(random, 4), PieceType::normal);
  return vocabulary_of(pieces);
}

SentencePieceSettings plain(SentencePieceModel model, bool bytes) {
  SentencePieceSettings settings;
  settings.model = model;
  settings.byte_fallback = bytes;
  settings.add_dummy_prefix = false;
  return settings;
}

TEST(SentencePieceProperties, BpeJoinsAsTheReferenceDoes) {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    const bool bytes = round % 2;
    const auto vocabulary = random_vocabulary(random, bytes, round % 3 == 0, round % 4 < 2);
    auto tokenizer = create_sentencepiece(vocabulary, plain(SentencePieceModel::bpe, bytes));
    ASSERT_TRUE(tokenizer);
    for (int i = 0; i < 20; ++i) {
      const std::string text = random_text(random, 40, i % 2 ? 6 : 4);
      ASSERT_EQ(encode(**tokenizer, text), reference_bpe(vocabulary, bytes, text)) << round << ": " << text;
    }
  }
}

// Ways to cut may count the same, so that what they count is compared.
TEST(SentencePieceProperties, UnigramFindsTheBestWay) {
  Random random(2);
  for (int round = 0; round < 400; ++round) {
    const auto vocabulary = random_vocabulary(random, true, round % 3 == 0, round % 4 == 0);
    auto tokenizer = create_sentencepiece(vocabulary, plain(SentencePieceModel::unigram, true));
    ASSERT_TRUE(tokenizer);
    for (int i = 0; i < 20; ++i) {
      const std::string text = random_text(random, 24, i % 2 ? 6 : 4);
      const auto ids = encode(**tokenizer, text);
      ASSERT_NEAR(unigram_score(vocabulary, ids), reference_unigram_score(vocabulary, text), 1e-3) << text;
      std::string decoded;
      for (const uint32_t id : ids) (*tokenizer)->decode(id, false, decoded);
      std::string expected = text;
      for (size_t at; (at = expected.find("▁")) != expected.npos;) expected.replace(at, 3, " ");
      ASSERT_EQ(decoded, expected);
    }
  }
}

TEST(SentencePieceProperties, RealVocabulariesJoinAsTheReferenceDoes) {
  Random random(3);
  for (const char* path : {"sentencepiece/tok512.model", "tokenizers/llama2/tokenizer.model"}) {
    const auto description = read_model_fixture(path);
    const auto vocabulary = vocabulary_of(description);
    auto settings = settings_of(description);
    settings.remove_extra_whitespaces = settings.add_dummy_prefix = false;
    auto tokenizer = create_sentencepiece(vocabulary, settings);
    ASSERT_TRUE(tokenizer);
    for (int i = 0; i < 25; ++i) {
      std::string text;
      while (text.size() < 50) {
        text += vocabulary.pieces[259 + random() % (vocabulary.pieces.size() - 259)];
      }
      ASSERT_EQ(encode(**tokenizer, text), reference_bpe(vocabulary, true, text)) << text;
    }
  }
}

// The bytes of any text survive the round trip, except for invalid UTF-8.
TEST(SentencePieceProperties, BytesSurviveTheRoundTrip) {
  Random random(4);
  const auto tokenizer = make_sentencepiece(read_model_fixture("tokenizers/llama2/tokenizer.model"));
  for (int i = 0; i < 300; ++i) {
    std::string text;
    std::string expected;
    for (size_t left = random() % 30; left > 0; --left) {
      switch (random() % 5) {
        case 0:
          text += static_cast<char>(random() % 128), expected += text.back();
          break;
        case 1:
          text += "  ", expected += "  ";
          break;
        case 2:
          text += "\u65E5\U0001F600", expected += "\u65E5\U0001F600";
          break;
        case 3:
          text += "\xFF", expected += "\uFFFD";
          break;
        default:
          text += "word", expected += "word";
      }
    }
    EXPECT_EQ(decode(*tokenizer, encode(*tokenizer, text)), expected);
  }
}

// Long texts of nothing that separates: a step per pair and joining would take hours.
TEST(SentencePieceProperties, TimePerCharacterIsConstantInLongTexts) {
  constexpr size_t kSize = 500'000;
  const auto description = read_model_fixture("tokenizers/llama2/tokenizer.model");
  const auto tokenizer = make_sentencepiece(description);
  auto settings = settings_of(description);
  settings.model = SentencePieceModel::unigram;
  auto unigram = create_sentencepiece(vocabulary_of(description), settings);
  ASSERT_TRUE(unigram);
  for (const std::string unit : {"a", " ", "\U0001F600"}) {
    std::string text;
    while (text.size() < kSize) text += unit;
    EXPECT_TRUE(decode(*tokenizer, encode(*tokenizer, text)) == text) << unit;
    EXPECT_TRUE(decode(**unigram, encode(**unigram, text)) == text) << unit;
  }
}

}  // namespace
}  // namespace quintet::test
