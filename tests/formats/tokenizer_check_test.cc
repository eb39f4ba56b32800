#include "formats/tokenizer_check.h"

#include <gtest/gtest.h>

namespace quintet::test {
namespace {

TokenizerDescription three_tokens() {
  TokenizerDescription tokenizer;
  tokenizer.kind.emplace<BpeDescription>();
  for (const char* token : {"a", "b", "c"}) EXPECT_TRUE(tokenizer.tokens.add(token));
  tokenizer.bpe()->ids = {0, 2, 5};
  tokenizer.special.eos = 5;
  return tokenizer;
}

TEST(TokenizerCheck, AcceptsTokenizersThatFitTheModel) {
  EXPECT_TRUE(check_tokenizer({}, 1));
  EXPECT_TRUE(check_tokenizer(three_tokens(), 6));
  EXPECT_TRUE(check_tokenizer(three_tokens(), uint64_t{1} << 40));
}

void expect_refused(const TokenizerDescription& tokenizer, uint64_t n_vocab, Reason reason) {
  const Status status = check_tokenizer(tokenizer, n_vocab);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::format);
  EXPECT_EQ(status.error().reason, reason) << status.error().detail;
}

TEST(TokenizerCheck, RejectsIdsThatTheModelDoesNotHave) {
  TokenizerDescription tokenizer = three_tokens();
  expect_refused(tokenizer, 5, Reason::limit);
  tokenizer.bpe()->ids[1] = UINT32_MAX;
  expect_refused(tokenizer, 6, Reason::limit);
}

TEST(TokenizerCheck, RejectsAnIdOfTwoTokens) {
  TokenizerDescription tokenizer = three_tokens();
  tokenizer.bpe()->ids[1] = 5;
  expect_refused(tokenizer, 6, Reason::duplicate);
}

TEST(TokenizerCheck, RejectsSpecialIdsThatTheModelDoesNotHave) {
  for (auto id : {&SpecialIds::bos, &SpecialIds::eos, &SpecialIds::pad, &SpecialIds::unk, &SpecialIds::mask,
                  &SpecialIds::cls, &SpecialIds::sep}) {
    TokenizerDescription tokenizer = three_tokens();
    tokenizer.special.*id = 6;
    EXPECT_TRUE(check_tokenizer(tokenizer, 7));
    expect_refused(tokenizer, 6, Reason::limit);
  }
}

TEST(TokenizerCheck, RejectsMoreTokensThanTheModelHas) {
  TokenizerDescription tokenizer;
  tokenizer.kind.emplace<SentencePieceDescription>();
  for (const char* token : {"a", "b", "c"}) ASSERT_TRUE(tokenizer.tokens.add(token));
  EXPECT_TRUE(check_tokenizer(tokenizer, 3));
  expect_refused(tokenizer, 2, Reason::mismatch);
}

}  // namespace
}  // namespace quintet::test
