// Passes that are done in steps, given up, or refused.

#include <gtest/gtest.h>

#include <limits>

#include "kernels/registry.h"
#include "tests/golden/decoder_passes.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

using decoder::Decoder;
using decoder::KvCache;
using decoder::LogitsOf;
using testing::same_bits;

// So large that a pass over 64 tokens takes several steps.
PlainDecoder wide_decoder() {
  DecoderConfig config;
  config.n_vocab = 4000;
  config.n_embd = 256;
  config.n_layers = 6;
  config.n_heads = 8;
  config.n_kv_heads = 2;
  config.head_dim = 32;
  config.rope_dim = 32;
  config.n_ff = 1024;
  return random_decoder(config, {}, 11);
}

std::vector<uint32_t> some_ids(size_t count) {
  std::vector<uint32_t> ids;
  for (size_t i = 0; i < count; ++i) ids.push_back(static_cast<uint32_t>((i * 37 + 5) % 61));
  return ids;
}

size_t steps_of(Decoder& decoder) {
  size_t steps = 1;
  while (!decoder.step()) ++steps;
  return steps;
}

TEST(DecoderSteps, ALargePassTakesSeveralAndASmallOneOne) {
  TestDecoder test(wide_decoder(), active_kernels());
  KvCache cache = empty_cache(test.config);
  ASSERT_TRUE(test.decoder.begin(cache, some_ids(64), LogitsOf::all));
  EXPECT_GE(steps_of(test.decoder), 3U);
  ASSERT_TRUE(test.decoder.begin(cache, some_ids(1), LogitsOf::last));
  EXPECT_EQ(steps_of(test.decoder), 1U);
  EXPECT_EQ(cache.length(), 65U);
}

TEST(DecoderSteps, ACancelledPassLeavesTheCacheAsItWas) {
  TestDecoder test(wide_decoder(), active_kernels());
  const std::vector<uint32_t> first = some_ids(40), second = some_ids(64);
  KvCache fresh = empty_cache(test.config);
  test.last(fresh, first);
  const std::vector<float> expected = test.last(fresh, second);

  KvCache cache = empty_cache(test.config);
  test.last(cache, first);
  const KvCache fork = cache.fork();
  for (int steps = 0; steps < 3; ++steps) {
    const std::vector<uint32_t> others(64, 3);
    ASSERT_TRUE(test.decoder.begin(cache, others, LogitsOf::all));
    for (int i = 0; i < steps; ++i) ASSERT_FALSE(test.decoder.step());
    if (steps != 1) test.decoder.cancel();  // the next pass gives it up as well
    EXPECT_EQ(cache.length(), first.size());
  }
  EXPECT_TRUE(same_bits(test.last(cache, second), expected));
  KvCache branch = fork;
  EXPECT_TRUE(same_bits(test.last(branch, second), expected));
}

TEST(DecoderSteps, IdsOutsideTheVocabularyAreRejected) {
  TestDecoder test(wide_decoder(), active_kernels());
  KvCache cache = empty_cache(test.config);
  for (const uint32_t id : {4000U, std::numeric_limits<uint32_t>::max()}) {
    const std::vector<uint32_t> ids = {1, 2, id};
    const Status status = test.decoder.begin(cache, ids, LogitsOf::last);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::input);
    EXPECT_EQ(status.error().reason, Reason::out_of_range);
  }
  EXPECT_EQ(cache.length(), 0U);
  EXPECT_EQ(cache.bytes(), 0U);
  EXPECT_EQ(test.last(cache, some_ids(2)).size(), 4000U);
}

TEST(DecoderSteps, NoTokensAndTooManyAreRejected) {
  TestDecoder test(wide_decoder(), active_kernels());
  KvCache cache = empty_cache(test.config);
  for (const size_t count : {size_t{0}, Decoder::kMaxTokens + 1}) {
    const Status status = test.decoder.begin(cache, some_ids(count), LogitsOf::last);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::input);
  }
}

// A weight that only the last of three tokens meets.
TEST(DecoderSteps, LogitsThatAreNotFiniteAreAnErrorAndNotAToken) {
  for (const float broken : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    PlainDecoder plain = wide_decoder();
    plain.tensors["model.embed_tokens.weight"][7 * plain.config.n_embd + 100] = broken;
    TestDecoder test(plain, active_kernels());
    KvCache cache = empty_cache(test.config);
    const std::vector<uint32_t> good = {1, 2, 3}, bad = {1, 2, 7};
    const std::vector<float> expected = test.last(cache, good);
    ASSERT_TRUE(cache.rewind(0));

    ASSERT_TRUE(test.decoder.begin(cache, bad, LogitsOf::last));
    while (!test.decoder.step()) continue;
    ASSERT_FALSE(test.decoder.status());
    EXPECT_EQ(test.decoder.status().error().code, Code::format);
    EXPECT_EQ(cache.length(), 0U);

    EXPECT_TRUE(same_bits(test.last(cache, good), expected));
  }
}

}  // namespace
}  // namespace quintet::test
