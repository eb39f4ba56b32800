// Passes over several sequences: each gives the same bits as alone, and errors and cancellations are its own.

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/golden/decoder_passes.h"
#include "tests/golden/weight_forms.h"
#include "tests/kernels/thread_count.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

using decoder::Decoder;
using decoder::KvCache;
using decoder::LogitsOf;
using testing::kThreadCounts;
using testing::same_bits;
using testing::ThreadCount;
using Ids = std::vector<uint32_t>;

DecoderConfig some_config() {
  DecoderConfig config;
  config.n_vocab = 97;
  config.n_embd = 64;
  config.n_layers = 3;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  config.head_dim = 16;
  config.rope_dim = 16;
  config.n_ff = 96;
  return config;
}

// So large that a pass over 64 tokens takes several steps.
DecoderConfig wide_config() {
  DecoderConfig config = some_config();
  config.n_vocab = 4000;
  config.n_embd = 256;
  config.n_layers = 6;
  config.n_ff = 1024;
  return config;
}

Ids some_ids(size_t count, uint32_t from) {
  Ids ids;
  for (size_t i = 0; i < count; ++i) ids.push_back(static_cast<uint32_t>((i * 37 + from * 11 + 5) % 89));
  return ids;
}

// The tokens before a sequence of a pass, and those that it computes.
struct Part {
  size_t before;
  size_t count;
  LogitsOf what;
};
// Prompts and single tokens, at their beginnings and long after, that end in the pass or do not.
constexpr Part kParts[] = {{70, 1, LogitsOf::last}, {0, 9, LogitsOf::last},  {33, 17, LogitsOf::none},
                           {0, 1, LogitsOf::last},  {5, 12, LogitsOf::all},  {31, 2, LogitsOf::last},
                           {0, 8, LogitsOf::none},  {64, 3, LogitsOf::last}, {100, 1, LogitsOf::last}};

struct Open {
  Open(TestDecoder& test, const Part& part, uint32_t from, KvType type)
      : cache(empty_cache(test.config, type)), ids(some_ids(part.count, from)), what(part.what) {
    test.last(cache, some_ids(part.before, from + 1));
  }

  KvCache cache;
  Ids ids;
  LogitsOf what;
};

std::vector<Open> open_parts(TestDecoder& test, KvType type) {
  std::vector<Open> opened;
  for (const Part& part : kParts) opened.emplace_back(test, part, static_cast<uint32_t>(opened.size()), type);
  return opened;
}

void begin(Decoder& decoder, std::vector<Open>& opened) {
  std::vector<decoder::Sequence> sequences;
  for (Open& one : opened) sequences.push_back({.cache = &one.cache, .ids = one.ids, .what = one.what});
  decoder.begin(sequences);
}

std::vector<float> logits_of(const Decoder& decoder, size_t sequence) {
  const auto logits = decoder.logits(sequence);
  return {logits.begin(), logits.end()};
}

// The results of a sequence alone: its logits, and those of a token after it.
struct Alone {
  std::vector<float> logits, next;
};

constexpr uint32_t kNext[] = {3};

std::vector<Alone> alone(TestDecoder& test, KvType type) {
  std::vector<Alone> results;
  for (Open& one : open_parts(test, type)) {
    Alone& result = results.emplace_back();
    EXPECT_TRUE(test.decoder.begin(one.cache, one.ids, one.what));
    while (!test.decoder.step()) continue;
    result.logits = logits_of(test.decoder, 0);
    result.next = test.last(one.cache, kNext);
  }
  return results;
}

void expect_as_alone(TestDecoder& test, KvType type, const std::vector<Alone>& expected) {
  std::vector<Open> opened = open_parts(test, type);
  begin(test.decoder, opened);
  while (!test.decoder.step()) continue;
  for (size_t i = 0; i < opened.size(); ++i) {
    ASSERT_TRUE(test.decoder.status(i)) << i;
    EXPECT_TRUE(same_bits(logits_of(test.decoder, i), expected[i].logits)) << i;
  }
  for (size_t i = 0; i < opened.size(); ++i) {
    EXPECT_EQ(opened[i].cache.length(), kParts[i].before + kParts[i].count);
    EXPECT_TRUE(same_bits(test.last(opened[i].cache, kNext), expected[i].next)) << i;
  }
}

class DecoderSequences : public testing::EachVariant {};
QUINTET_FOR_EACH_VARIANT(DecoderSequences);

TEST_P(DecoderSequences, ChangeNoBitWhateverTheWeightsAreKeptIn) {
  const PlainDecoder plain = random_decoder(some_config(), {.has_biases = true}, 3);
  for (const WeightForm& form : weight_forms()) {
    SCOPED_TRACE(form.name);
    TestDecoder test(plain.config, weights_in(form, plain), kernels());
    expect_as_alone(test, KvType::f16, alone(test, KvType::f16));
  }
}

TEST_P(DecoderSequences, ChangeNoBitWhateverTheCacheKeeps) {
  for (const uint64_t window : {0, 20}) {
    DecoderConfig config = some_config();
    config.sliding_window = window;
    TestDecoder test(random_decoder(config, {.is_fused = true}, 4), kernels());
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
      SCOPED_TRACE(std::to_string(window) + " positions seen, type " + std::to_string(static_cast<int>(type)));
      expect_as_alone(test, type, alone(test, type));
    }
  }
}

TEST(DecoderOfSequences, ChangesNoBitWithMoreThreads) {
  TestDecoder test(random_decoder(wide_config(), {}, 5), active_kernels());
  const std::vector<Alone> expected = alone(test, KvType::f32);
  for (const size_t threads : kThreadCounts) {
    const ThreadCount count(threads);
    expect_as_alone(test, KvType::f32, expected);
  }
}

TEST(DecoderOfSequences, OneThatIsCancelledChangesNoBitOfTheOthersAndMayContinueAtOnce) {
  TestDecoder test(random_decoder(wide_config(), {}, 6), active_kernels());
  const std::vector<Alone> expected = alone(test, KvType::f32);
  for (const size_t given_up : {0U, 2U, 4U}) {
    std::vector<Open> opened = open_parts(test, KvType::f32);
    begin(test.decoder, opened);
    ASSERT_FALSE(test.decoder.step());
    test.decoder.give_up(given_up);
    // Its cache may be written to, and even end, while the pass runs.
    KvCache& cache = opened[given_up].cache;
    ASSERT_EQ(cache.length(), kParts[given_up].before);
    TestDecoder other(random_decoder(wide_config(), {}, 6), active_kernels());
    ASSERT_TRUE(other.decoder.begin(cache, some_ids(40, 70), LogitsOf::none));
    while (!other.decoder.step()) continue;
    cache = empty_cache(test.config);
    while (!test.decoder.step()) continue;
    for (size_t i = 0; i < opened.size(); ++i) {
      if (i == given_up) continue;
      EXPECT_TRUE(same_bits(logits_of(test.decoder, i), expected[i].logits)) << i;
    }
    opened.erase(opened.begin() + static_cast<ptrdiff_t>(given_up));
    for (Open& one : opened) EXPECT_EQ(test.last(one.cache, kNext).size(), test.config.n_vocab);
  }
}

TEST(DecoderOfSequences, APassWithoutWaitingCallersEnds) {
  TestDecoder test(random_decoder(wide_config(), {}, 6), active_kernels());
  std::vector<Open> opened = open_parts(test, KvType::f32);
  begin(test.decoder, opened);
  ASSERT_FALSE(test.decoder.step());
  for (size_t i = 0; i < opened.size(); ++i) test.decoder.give_up(i);
  EXPECT_TRUE(test.decoder.step());
  for (size_t i = 0; i < opened.size(); ++i) EXPECT_EQ(opened[i].cache.length(), kParts[i].before);
}

TEST(DecoderOfSequences, AnErrorAffectsOnlyItsSequence) {
  PlainDecoder plain = random_decoder(some_config(), {}, 7);
  constexpr uint32_t kBroken = 91;  // no other sequence has it
  plain.tensors["model.embed_tokens.weight"][kBroken * plain.config.n_embd + 5] =
      std::numeric_limits<float>::quiet_NaN();
  TestDecoder test(plain, active_kernels());
  const std::vector<Alone> expected = alone(test, KvType::f32);
  std::vector<Open> opened = open_parts(test, KvType::f32);
  const Ids broken = {kBroken}, outside = {1, 97};
  opened[1].ids = broken;
  opened[3].ids = outside;
  opened[7].ids.clear();
  begin(test.decoder, opened);
  while (!test.decoder.step()) continue;
  EXPECT_EQ(test.decoder.status(1).error().code, Code::format);
  EXPECT_EQ(test.decoder.status(3).error().code, Code::input);
  EXPECT_EQ(test.decoder.status(7).error().code, Code::input);
  for (size_t i = 0; i < opened.size(); ++i) {
    const bool failed = i == 1 || i == 3 || i == 7;
    EXPECT_EQ(test.decoder.status(i).has_value(), !failed);
    EXPECT_EQ(opened[i].cache.length(), kParts[i].before + (failed ? 0 : kParts[i].count));
    if (failed) continue;
    EXPECT_TRUE(same_bits(logits_of(test.decoder, i), expected[i].logits)) << i;
  }
}

TEST(DecoderOfSequences, TooManyTokensFailOnlyTheSequencesThatDoNotFit) {
  TestDecoder test(random_decoder(some_config(), {}, 8), active_kernels());
  std::vector<KvCache> caches(3, empty_cache(test.config));
  const Ids forty = some_ids(40, 1), rest = some_ids(Decoder::kMaxTokens - 40, 2);
  const decoder::Sequence sequences[] = {{.cache = caches.data(), .ids = forty, .what = LogitsOf::last},
                                         {.cache = &caches[1], .ids = forty, .what = LogitsOf::last},
                                         {.cache = &caches[2], .ids = rest, .what = LogitsOf::last}};
  test.decoder.begin(sequences);
  while (!test.decoder.step()) continue;
  EXPECT_TRUE(test.decoder.status(0));
  EXPECT_FALSE(test.decoder.status(1));
  EXPECT_TRUE(test.decoder.status(2));
  EXPECT_EQ(caches[1].length(), 0U);
}

}  // namespace
}  // namespace quintet::test
