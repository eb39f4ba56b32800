// Logits of prefill and of decoding are the same bits for any number of threads, whatever the weights and the cache are
// kept in.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/half.h"
#include "tests/golden/decoder_passes.h"
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

// --- The same matrix in every form.

using Recode = std::function<WeightMatrix(const PackedMatrix&)>;

std::vector<float> row_of(const PackedMatrix& matrix, size_t row) {
  std::vector<float> values(matrix.cols());
  matrix.read_row(row, values.data());
  return values;
}

WeightMatrix as_floats(const PackedMatrix& matrix) {
  PackedMatrix floats(Storage::f32, matrix.rows(), matrix.cols());
  for (size_t row = 0; row < matrix.rows(); ++row) {
    const std::vector<float> values = row_of(matrix, row);
    EXPECT_TRUE(floats.append_rows(std::as_bytes(std::span(values)).data(), 1));
  }
  return floats;
}

WeightMatrix as_halves(const PackedMatrix& matrix) {
  PackedMatrix halves(Storage::f16, matrix.rows(), matrix.cols());
  for (size_t row = 0; row < matrix.rows(); ++row) {
    std::vector<uint16_t> values;
    for (const float value : row_of(matrix, row)) values.push_back(f32_to_f16(value));
    EXPECT_TRUE(halves.append_rows(std::as_bytes(std::span(values)).data(), 1));
  }
  return halves;
}

constexpr size_t kBlock = 32;

// Weights that are as random as the values, of any number of bits.
std::vector<int8_t> steps(std::span<const float> values, int max) {
  std::vector<int8_t> q;
  for (const float value : values) q.push_back(static_cast<int8_t>(std::lround(value * 4096) % (max + 1)));
  return q;
}

template <BlockBits kBits>
WeightMatrix as_blocks(const PackedMatrix& matrix) {
  BlockMatrix blocks({.bits = kBits, .rows = matrix.rows(), .cols = matrix.cols(), .block = kBlock});
  const int max = (1 << (static_cast<int>(kBits) - 1)) - 1;
  const std::vector<float> scales(blocks.blocks(), 0.5F / static_cast<float>(max));
  for (size_t row = 0; row < matrix.rows(); ++row) {
    EXPECT_TRUE(blocks.append_row(steps(row_of(matrix, row), max), scales));
  }
  return blocks;
}

// Blocks of each precision in turn.
WeightMatrix as_adaptive(const PackedMatrix& matrix) {
  AdaptiveMatrix adaptive(matrix.rows(), matrix.cols(), kBlock);
  size_t count = 0;
  for (size_t row = 0; row < matrix.rows(); ++row) {
    const std::vector<float> values = row_of(matrix, row);
    for (size_t column = 0; column < matrix.cols(); column += kBlock) {
      const std::span<const float> block = std::span(values).subspan(column, kBlock);
      const auto code = static_cast<BlockCode>(count++ % kBlockCodes);
      if (code == BlockCode::fp16) {
        std::vector<uint16_t> halves;
        for (const float value : block) halves.push_back(f32_to_f16(value));
        EXPECT_TRUE(adaptive.append_halves(halves));
      } else {
        const int max = code == BlockCode::int4 ? 7 : code == BlockCode::int5 ? 15 : 127;
        EXPECT_TRUE(adaptive.append_block(code, steps(block, max), 0.5F / static_cast<float>(max)));
      }
    }
  }
  return adaptive;
}

struct Form {
  const char* name;
  Recode recode;
};
const Form kForms[] = {{"f32", as_floats},
                       {"f16", as_halves},
                       {"int4", as_blocks<BlockBits::four>},
                       {"int5", as_blocks<BlockBits::five>},
                       {"int8", as_blocks<BlockBits::eight>},
                       {"adaptive", as_adaptive}};

decoder::Weights weights_in(const Recode& recode, const PlainDecoder& plain) {
  decoder::Weights weights = float_weights(plain);
  const auto change = [&](WeightMatrix& weight) { weight = recode(std::get<PackedMatrix>(weight)); };
  for (decoder::Layer& layer : weights.layers) {
    layer.Modules::for_each_module([&](decoder::Module& module) {
      if (rows_of(module.matrix) != 0) change(module.matrix);
    });
  }
  if (weights.shared.has(decoder::TensorKind::output)) change(weights.shared[decoder::TensorKind::output].matrix);
  return weights;
}

// --- What is compared: the last logits of a prompt of several passes, and those of some tokens one by one.

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

void expect_same_bits(const PlainDecoder& plain, const Recode& recode, KvType type, const Kernels& kernels) {
  TestDecoder alone(plain.config, weights_in(recode, plain), kernels);
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
  for (const Form& form : kForms) {
    SCOPED_TRACE(form.name);
    expect_same_bits(plain, form.recode, KvType::f16, kernels());
  }
}

TEST(ThreadedDecoder, ChangeNoBitWhateverTheCacheKeeps) {
  for (const uint64_t window : {0, 20}) {
    DecoderConfig config = shared_config();
    config.sliding_window = window;
    const PlainDecoder plain = random_decoder(config, {}, 4);
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
      SCOPED_TRACE(std::to_string(window) + " positions seen, type " + std::to_string(static_cast<int>(type)));
      expect_same_bits(plain, as_floats, type, active_kernels());
    }
  }
}

TEST(ThreadedDecoder, ChangeNoBitWhateverTheBlocks) {
  const BlockForm forms[] = {{.is_fused = true, .has_output = false},
                             {.is_parallel = true, .has_biases = true, .has_layer_norms = true},
                             {.is_parallel = true, .is_fused = true}};
  for (const BlockForm& form : forms) {
    expect_same_bits(random_decoder(shared_config(), form, 5), as_floats, KvType::f16, active_kernels());
  }
}

}  // namespace
}  // namespace quintet::test
