// Logits of prefill and of decoding are the same bits for any number of threads, whatever the weights and the cache are
// kept in.

#include <gtest/gtest.h>

#include "tests/golden/decoder_passes.h"
#include "tests/golden/weight_forms.h"
#include "tests/kernels/thread_count.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

using decoder::KvCache;
using testing::kThreadCounts;
using testing::same_bits;
using testing::ThreadCount;

// So large that the threads share even the product of one row.
DecoderConfig shared_config() {
  DecoderConfig config;
  config.n_vocab = 1500;
  config.n_embd = 128;
  config.n_layers = 2;
  config.n_heads = 8;
  config.n_kv_heads = 4;
  config.head_dim = 16;
  config.rope_dim = 16;
  config.n_ff = 256;
  return config;
}

// The last logits of a prompt of several passes, and those of some tokens one by one.

std::vector<float> logits_of_a_run(TestDecoder& test, KvType type) {
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < 70; ++i) ids.push_back((i * i + 7 * i + 3) % 1500);
  KvCache cache = empty_cache(test.config, type);
  std::vector<float> all = test.last(cache, ids);
  for (uint32_t next : {5U, 900U, 77U}) {
    const std::vector<float> logits = test.last(cache, {&next, 1});
    all.insert(all.end(), logits.begin(), logits.end());
  }
  const std::vector<float> logits = test.all(cache, std::span(ids).first(9));
  all.insert(all.end(), logits.begin(), logits.end());
  return all;
}

void expect_same_bits(const PlainDecoder& plain, const WeightForm& form, KvType type, const Kernels& kernels) {
  TestDecoder alone(plain.config, weights_in(form, plain), kernels);
  const std::vector<float> expected = logits_of_a_run(alone, type);
  EXPECT_EQ(expected.size(), 13 * plain.config.n_vocab);
  for (const size_t threads : kThreadCounts) {
    const ThreadCount count(threads);
    // The one that was used alone, too: it gets room for more threads.
    EXPECT_TRUE(same_bits(logits_of_a_run(alone, type), expected)) << threads;
  }
}

class DecoderThreads : public testing::EachVariant {};
QUINTET_FOR_EACH_VARIANT(DecoderThreads);

TEST_P(DecoderThreads, ChangeNoBitWhateverTheWeightsAreKeptIn) {
  const PlainDecoder plain = random_decoder(shared_config(), {.has_biases = true}, 3);
  for (const WeightForm& form : weight_forms()) {
    SCOPED_TRACE(form.name);
    expect_same_bits(plain, form, KvType::f16, kernels());
  }
}

TEST(ThreadedDecoder, ChangeNoBitWhateverTheCacheKeeps) {
  for (const uint64_t window : {0, 20}) {
    DecoderConfig config = shared_config();
    config.sliding_window = window;
    const PlainDecoder plain = random_decoder(config, {}, 4);
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
      SCOPED_TRACE(std::to_string(window) + " positions seen, type " + std::to_string(static_cast<int>(type)));
      expect_same_bits(plain, weight_forms().front(), type, active_kernels());
    }
  }
}

TEST(ThreadedDecoder, ChangeNoBitWhateverTheBlocks) {
  const BlockForm forms[] = {{.is_fused = true, .has_output = false},
                             {.is_parallel = true, .has_biases = true, .has_layer_norms = true},
                             {.is_parallel = true, .is_fused = true}};
  for (const BlockForm& form : forms) {
    expect_same_bits(random_decoder(shared_config(), form, 5), weight_forms().front(), KvType::f16, active_kernels());
  }
}

}  // namespace
}  // namespace quintet::test
