// The result at a position has the same bits for any division of the tokens into passes, and for any history of a cache
// with the same contents.

#include <gtest/gtest.h>

#include "tests/golden/decoder_passes.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

using decoder::Decoder;
using decoder::KvCache;
using testing::same_bits;

constexpr KvType kTypes[] = {KvType::f32, KvType::f16, KvType::int8, KvType::int4};
constexpr size_t kTokens = 150;

DecoderConfig config_with_window(uint64_t window) {
  DecoderConfig config;
  config.n_vocab = 37;
  config.n_embd = 32;
  config.n_layers = 2;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  config.head_dim = 16;
  config.rope_dim = 8;
  config.n_ff = 48;
  config.sliding_window = window;
  return config;
}

std::vector<uint32_t> random_ids(testing::Random& random, size_t count, uint64_t vocab) {
  std::vector<uint32_t> ids;
  for (size_t i = 0; i < count; ++i)
    ids.push_back(static_cast<uint32_t>(random.integer(0, static_cast<int>(vocab) - 1)));
  return ids;
}

std::vector<float> row(const std::vector<float>& logits, size_t i, const DecoderConfig& config) {
  const auto begin = logits.begin() + static_cast<ptrdiff_t>(i * config.n_vocab);
  return {begin, begin + static_cast<ptrdiff_t>(config.n_vocab)};
}

class DecoderCuts : public testing::EachVariant {};
QUINTET_FOR_EACH_VARIANT(DecoderCuts);

// The cuts also decide when the ring of a window gives a page back.
TEST_P(DecoderCuts, ChangeNoBits) {
  testing::Random random;
  for (const uint64_t window : {0, 1, 5, 40, 64}) {
    const PlainDecoder plain = random_decoder(config_with_window(window), {}, 5);
    TestDecoder test(plain, kernels());
    const std::vector<uint32_t> ids = random_ids(random, kTokens, plain.config.n_vocab);
    for (const KvType type : kTypes) {
      SCOPED_TRACE(std::to_string(window) + " positions seen, type " + std::to_string(static_cast<int>(type)));
      KvCache whole = empty_cache(plain.config, type), single = empty_cache(plain.config, type),
              mixed = empty_cache(plain.config, type), last = empty_cache(plain.config, type);
      const std::vector<float> expected = test.all(whole, ids);
      const size_t one[] = {1};
      EXPECT_TRUE(same_bits(test.all(single, ids, one), expected));
      std::vector<size_t> cuts;
      for (int i = 0; i < 50; ++i) cuts.push_back(static_cast<size_t>(random.integer(1, Decoder::kMaxTokens)));
      EXPECT_TRUE(same_bits(test.all(mixed, ids, cuts), expected));
      EXPECT_TRUE(same_bits(test.last(last, ids), row(expected, kTokens - 1, plain.config)));
    }
  }
}

TEST_P(DecoderCuts, ForksGoTheirOwnWays) {
  testing::Random random(2);
  const PlainDecoder plain = random_decoder(config_with_window(0), {}, 7);
  TestDecoder test(plain, kernels());
  for (const KvType type : kTypes) {
    for (const size_t shared : {0, 1, 31, 32, 33, 70}) {
      const std::vector<uint32_t> prefix = random_ids(random, shared, plain.config.n_vocab);
      KvCache trunk = empty_cache(plain.config, type);
      test.last(trunk, prefix);
      KvCache branch = trunk.fork();
      for (KvCache* cache : {&trunk, &branch, &trunk, &branch}) {
        const std::vector<uint32_t> more = random_ids(random, 20, plain.config.n_vocab);
        const size_t before = cache->length();
        const std::vector<float> logits = test.all(*cache, more);
        ASSERT_TRUE(cache->rewind(before));
        EXPECT_TRUE(same_bits(test.all(*cache, more), logits));

        std::vector<uint32_t> whole = prefix;
        whole.insert(whole.end(), more.begin(), more.end());
        if (before != shared) continue;  // the branches were lengthened once already
        KvCache fresh = empty_cache(plain.config, type);
        EXPECT_TRUE(same_bits(test.last(fresh, whole), row(logits, more.size() - 1, plain.config)));
      }
    }
  }
}

TEST_P(DecoderCuts, RewindingForgets) {
  testing::Random random(3);
  const PlainDecoder plain = random_decoder(config_with_window(0), {}, 8);
  TestDecoder test(plain, kernels());
  const std::vector<uint32_t> ids = random_ids(random, 100, plain.config.n_vocab);
  const std::vector<uint32_t> others = random_ids(random, 100, plain.config.n_vocab);
  for (const size_t kept : {0, 1, 32, 45, 64, 99}) {
    KvCache cache = empty_cache(plain.config);
    test.last(cache, ids);
    ASSERT_TRUE(cache.rewind(kept));
    EXPECT_EQ(cache.length(), kept);
    const std::vector<float> logits = test.last(cache, others);

    std::vector<uint32_t> whole(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(kept));
    whole.insert(whole.end(), others.begin(), others.end());
    KvCache fresh = empty_cache(plain.config);
    EXPECT_TRUE(same_bits(test.last(fresh, whole), logits)) << kept;
  }
}

}  // namespace
}  // namespace quintet::test
