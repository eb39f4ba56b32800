// Low-rank adapters against a model whose weights have the same product added: W + scale * B A.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/golden/decoder_passes.h"
#include "tests/golden/fixture.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

constexpr float kScale = 0.7F, kOwnScale = 1.5F;
const std::vector<uint32_t> kIds = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};

DecoderConfig small_config() {
  DecoderConfig config;
  config.architecture = "llama";
  config.n_vocab = 40;
  config.n_embd = 24;
  config.n_layers = 2;
  config.n_heads = 3;
  config.n_kv_heads = 1;
  config.head_dim = 8;
  config.rope_dim = 8;
  config.n_ff = 36;
  config.max_seq_len = 64;
  config.norm_eps = 1e-5;
  return config;
}

// The plain values of A and B of one matrix.
struct PlainPart {
  size_t rank;
  std::vector<float> a, b;
};

WeightMatrix matrix_of(const std::vector<float>& values, size_t rows) {
  PackedMatrix matrix(Storage::f32, rows, values.size() / rows);
  EXPECT_TRUE(matrix.append_rows(std::as_bytes(std::span(values)).data(), rows));
  return matrix;
}

const WeightMatrix* matrix_in(const decoder::Weights& weights, const std::string& name) {
  const auto ref = decoder::TensorNames(ModelDescription()).ref_of(name);
  const Modules<decoder::Module>& modules = ref->in_layer() ? weights.layers[ref->layer] : weights.shared;
  return &modules[ref->kind()].matrix;
}

class AdaptedDecoder : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(FusedOrNot, AdaptedDecoder, ::testing::Bool());

// Matrices of all kinds have parts, each with another rank, of which none is a multiple of a panel.
TEST_P(AdaptedDecoder, ComputesWhatMergedWeightsWould) {
  const PlainDecoder plain = random_decoder(small_config(), {.is_fused = GetParam()}, 5);
  PlainDecoder merged = plain;
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 0.3F);
  std::map<std::string, PlainPart> parts;
  for (auto& [name, weight] : merged.tensors) {
    if (name.find("norm") != std::string::npos || name.find("embed") != std::string::npos) continue;
    if (name.find("layers.1.mlp.gate") != std::string::npos) continue;  // not everything has a part
    const bool is_wide = name.find("down_proj") != std::string::npos;
    const size_t cols = is_wide ? 36 : 24, rows = weight.size() / cols, rank = 1 + random() % 11;
    PlainPart part = {rank, std::vector<float>(rank * cols), std::vector<float>(rows * rank)};
    for (float& value : part.a) value = normal(random);
    for (float& value : part.b) value = normal(random);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t col = 0; col < cols; ++col) {
        double sum = 0;
        for (size_t r = 0; r < rank; ++r) sum += double{part.b[row * rank + r]} * part.a[r * cols + col];
        weight[row * cols + col] += static_cast<float>(double{kScale} * kOwnScale * sum);
      }
    }
    parts.emplace(name, std::move(part));
  }
  ASSERT_GE(parts.size(), GetParam() ? 7U : 12U);

  for (const Kernels* kernels : compiled_kernels()) {
    SCOPED_TRACE(kernels->name);
    TestDecoder base(plain, *kernels), expected(merged, *kernels);
    auto adapter = std::make_shared<decoder::Adapter>();
    for (const auto& [name, part] : parts) {
      const WeightMatrix* matrix = matrix_in(base.weights, name);
      decoder::LowRank& own = adapter->part_of(matrix);
      own.a = matrix_of(part.a, part.rank);
      own.b = matrix_of(part.b, rows_of(*matrix));
      own.scale = kScale;
    }
    ASSERT_TRUE(adapter->check_finite());
    decoder::KvCache cache = empty_cache(plain.config), merged_cache = empty_cache(plain.config);
    base.adapters = {{adapter, kOwnScale}};
    const std::vector<float> adapted = base.all(cache, kIds), wanted = expected.all(merged_cache, kIds);
    for (size_t i = 0; i < wanted.size(); ++i) ASSERT_NEAR(adapted[i], wanted[i], 2e-4 * (1 + std::abs(wanted[i])));

    // In other cuts it is the same bits, and without the adapter the model is what it was.
    decoder::KvCache cut = empty_cache(plain.config);
    EXPECT_TRUE(testing::same_bits(base.all(cut, kIds, std::vector<size_t>{1, 4, 2}), adapted));
    base.adapters = {};
    TestDecoder untouched(plain, *kernels);
    decoder::KvCache again = empty_cache(plain.config), other = empty_cache(plain.config);
    EXPECT_TRUE(testing::same_bits(base.all(again, kIds), untouched.all(other, kIds)));
  }
}

// The sequences of a pass have different adapters, or none: each has the bits that it has alone.
TEST(Adapter, SequencesOfOnePassHaveTheirOwnAdapters) {
  const PlainDecoder plain = random_decoder(small_config(), {}, 6);
  std::mt19937 random(8);
  std::normal_distribution<float> normal(0, 0.3F);
  for (const Kernels* kernels : compiled_kernels()) {
    SCOPED_TRACE(kernels->name);
    TestDecoder test(plain, *kernels);
    auto adapter = std::make_shared<decoder::Adapter>();
    for (const std::string name : {"model.layers.0.mlp.up_proj.weight", "lm_head.weight"}) {
      const WeightMatrix* matrix = matrix_in(test.weights, name);
      std::vector<float> a(3 * cols_of(*matrix)), b(3 * rows_of(*matrix));
      for (float& value : a) value = normal(random);
      for (float& value : b) value = normal(random);
      decoder::LowRank& part = adapter->part_of(matrix);
      part.a = matrix_of(a, 3);
      part.b = matrix_of(b, rows_of(*matrix));
    }
    const std::vector<decoder::Adapters> uses = {{}, {{adapter, 1}}, {{adapter, -2}}, {}};
    std::vector<decoder::KvCache> caches, alone;
    std::vector<decoder::Sequence> sequences;
    for (size_t i = 0; i < uses.size(); ++i) {
      caches.push_back(empty_cache(plain.config));
      alone.push_back(empty_cache(plain.config));
    }
    for (size_t i = 0; i < uses.size(); ++i) {
      const auto what = i == 2 ? decoder::LogitsOf::all : decoder::LogitsOf::last;
      sequences.push_back(
          {.cache = &caches[i], .ids = std::span(kIds).first(3 + 2 * i), .what = what, .adapters = &uses[i]});
    }
    test.decoder.begin(sequences);
    while (!test.decoder.step()) continue;
    std::vector<std::vector<float>> together;
    for (size_t i = 0; i < uses.size(); ++i) {
      ASSERT_TRUE(test.decoder.status(i));
      together.emplace_back(test.decoder.logits(i).begin(), test.decoder.logits(i).end());
    }
    for (size_t i = 0; i < uses.size(); ++i) {
      test.adapters = uses[i];
      const auto ids = sequences[i].ids;
      const auto expected = i == 2 ? test.all(alone[i], ids) : test.last(alone[i], ids);
      EXPECT_TRUE(testing::same_bits(together[i], expected)) << i;
    }
  }
}

TEST(Adapter, ValuesThatAreNotFiniteAreRejected) {
  decoder::Adapter adapter;
  const WeightMatrix matrix;
  adapter.part_of(&matrix) = {.matrix = &matrix, .a = matrix_of({1, 2}, 1), .b = matrix_of({1, NAN, 3}, 3)};
  const Status status = adapter.check_finite();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::format);
}

}  // namespace
}  // namespace quintet::test
