#include "formats/sentencepiece/settings.h"

#include <gtest/gtest.h>

#include "formats/sentencepiece/protobuf.h"
#include "tests/formats/reading.h"

namespace quintet::sentencepiece {
namespace {

TEST(SentencePieceSettings, OfModels) {
  const auto llama = read_settings(test::fixture("tokenizers/llama2/tokenizer.model"));
  ASSERT_TRUE(llama);
  EXPECT_EQ(llama->model, SentencePieceModel::bpe);
  EXPECT_TRUE(llama->byte_fallback);
  EXPECT_TRUE(llama->add_dummy_prefix);
  EXPECT_FALSE(llama->remove_extra_whitespaces);
  EXPECT_TRUE(llama->escape_whitespaces);
  EXPECT_FALSE(llama->treat_whitespace_as_suffix);
  EXPECT_EQ(llama->unknown_surface, " \u2047 ");
  EXPECT_EQ(llama->character_map, "");

  const auto small = read_settings(test::fixture("sentencepiece/tok105.model"));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->model, SentencePieceModel::bpe);
  EXPECT_FALSE(small->byte_fallback);
  EXPECT_TRUE(small->remove_extra_whitespaces);
}

TEST(SentencePieceSettings, DefaultsAreTheSchemas) {
  const auto settings = read_settings({});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->model, SentencePieceModel::unigram);
  EXPECT_FALSE(settings->byte_fallback);
  EXPECT_TRUE(settings->add_dummy_prefix);
  EXPECT_TRUE(settings->remove_extra_whitespaces);
  EXPECT_TRUE(settings->escape_whitespaces);
  EXPECT_FALSE(settings->treat_whitespace_as_suffix);
}

TEST(SentencePieceSettings, EveryFieldIsRead) {
  MessageWriter trainer_spec;
  trainer_spec.put_varint(3, 2);
  trainer_spec.put_varint(24, 1);
  trainer_spec.put_varint(35, 1);
  trainer_spec.put_text(44, "?");
  MessageWriter normalizer_spec;
  normalizer_spec.put_text(2, "map");
  for (const uint64_t field : {3, 4, 5}) normalizer_spec.put_varint(field, 0);
  MessageWriter message;
  message.put_message(3, normalizer_spec);
  message.put_message(2, trainer_spec);
  const auto settings = read_settings(message.take());
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->model, SentencePieceModel::bpe);
  EXPECT_TRUE(settings->byte_fallback);
  EXPECT_TRUE(settings->treat_whitespace_as_suffix);
  EXPECT_EQ(settings->unknown_surface, "?");
  EXPECT_EQ(settings->character_map, "map");
  EXPECT_FALSE(settings->add_dummy_prefix);
  EXPECT_FALSE(settings->remove_extra_whitespaces);
  EXPECT_FALSE(settings->escape_whitespaces);
}

TEST(SentencePieceSettings, FieldsOfAnotherTypeAreErrors) {
  MessageWriter normalizer_spec;
  normalizer_spec.put_varint(2, 1);
  MessageWriter message;
  message.put_message(3, normalizer_spec);
  const auto settings = read_settings(message.take());
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().reason, Reason::malformed);
}

}  // namespace
}  // namespace quintet::sentencepiece
