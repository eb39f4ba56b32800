// The encoder's output is the same bits for any number of threads.

#include <gtest/gtest.h>

#include <cmath>

#include "base/half.h"
#include "models/encoder/encoder.h"
#include "tests/kernels/random.h"
#include "tests/kernels/thread_count.h"
#include "tests/kernels/variants.h"

namespace quintet::test {
namespace {

using encoder::Encoder;
using testing::kThreadCounts;
using testing::Random;
using testing::ThreadCount;

// So large that the threads share single matrices, too.
EncoderConfig small_config() {
  EncoderConfig config = encoder::bert_config();
  config.n_vocab = 50;
  config.n_embd = config.embedding_width = 96;
  config.n_layers = 2;
  config.n_heads = config.n_kv_heads = 3;
  config.head_dim = config.rope_dim = 32;
  config.n_ff = 256;
  config.max_seq_len = 128;
  return config;
}
const EncoderConfig kConfig = small_config();

struct Kept {
  const char* name;
  Storage storage;
  size_t group;  // i8
};
constexpr Kept kAllKept[] = {
    {"f32", Storage::f32, 0}, {"f16", Storage::f16, 0}, {"int8_row", Storage::i8, 0}, {"int8_group", Storage::i8, 16}};

AlignedBuffer<float> random_values(Random& random, size_t count, float about = 0) {
  AlignedBuffer<float> values;
  EXPECT_TRUE(values.resize(count));
  for (float& value : values.span()) value = about + random.number() / 4;
  return values;
}

PackedMatrix random_matrix(Random& random, const Kept& kept, size_t rows, size_t cols) {
  PackedMatrix matrix(kept.storage, rows, cols, kept.group);
  const float size = 2 / std::sqrt(static_cast<float>(cols));
  if (kept.storage == Storage::i8) {
    std::vector<int8_t> q(rows * cols);
    for (int8_t& value : q) value = static_cast<int8_t>(random.integer(-127, 127));
    EXPECT_TRUE(matrix.append_rows(std::as_bytes(std::span(q)).data(), rows));
    EXPECT_TRUE(matrix.set_scales(std::vector<float>(rows * matrix.groups(), size / 127)));
    return matrix;
  }
  std::vector<float> values = random.numbers(rows * cols);
  for (float& value : values) value *= size;
  if (kept.storage == Storage::f32) {
    EXPECT_TRUE(matrix.append_rows(std::as_bytes(std::span(values)).data(), rows));
  } else {
    std::vector<uint16_t> halves;
    for (const float value : values) halves.push_back(f32_to_f16(value));
    EXPECT_TRUE(matrix.append_rows(std::as_bytes(std::span(halves)).data(), rows));
  }
  return matrix;
}

RowTable random_table(Random& random, size_t rows) {
  RowTable table(Storage::f32, rows, kConfig.hidden_size());
  const std::vector<float> values = random.numbers(rows * kConfig.hidden_size());
  EXPECT_TRUE(table.append(std::as_bytes(std::span(values)).data(), values.size() * sizeof(float)));
  return table;
}

encoder::Module random_norm(Random& random) {
  return {.matrix = {},
          .vector = random_values(random, kConfig.hidden_size(), 1),
          .bias = random_values(random, kConfig.hidden_size())};
}

encoder::Weights random_weights(Random& random, const Kept& kept) {
  const auto linear = [&](size_t rows, size_t cols) {
    return encoder::Module{
        .matrix = random_matrix(random, kept, rows, cols), .vector = {}, .bias = random_values(random, rows)};
  };
  const size_t hidden = kConfig.hidden_size(), wide = static_cast<size_t>(kConfig.n_ff);
  encoder::Weights weights;
  weights.word_embeddings = random_table(random, kConfig.n_vocab);
  weights.position_embeddings = random_table(random, kConfig.max_seq_len);
  weights.token_type_embeddings = random_table(random, 2);
  weights.shared[encoder::TensorKind::embeddings_norm] = random_norm(random);
  for (size_t i = 0; i < kConfig.n_layers; ++i) {
    encoder::Layer& layer = weights.layers.emplace_back();
    layer[encoder::TensorKind::query] = linear(hidden, hidden);
    layer[encoder::TensorKind::key] = linear(hidden, hidden);
    layer[encoder::TensorKind::value] = linear(hidden, hidden);
    layer[encoder::TensorKind::attention_output] = linear(hidden, hidden);
    layer[encoder::TensorKind::attention_norm] = random_norm(random);
    layer[encoder::TensorKind::up] = linear(wide, hidden);
    layer[encoder::TensorKind::down] = linear(hidden, wide);
    layer[encoder::TensorKind::output_norm] = random_norm(random);
  }
  return weights;
}

std::vector<float> hidden_states(Encoder& encoder, const std::vector<size_t>& lengths) {
  std::vector<encoder::Sequence> sequences;
  std::vector<uint32_t> ids;
  for (const size_t length : lengths) {
    sequences.push_back({.begin = ids.size(), .length = length});
    for (size_t i = 0; i < length; ++i) ids.push_back(static_cast<uint32_t>((ids.size() * 7 + i) % kConfig.n_vocab));
  }
  EXPECT_TRUE(encoder.begin(ids, sequences));
  while (!encoder.step()) {
  }
  return {encoder.hidden(), encoder.hidden() + ids.size() * kConfig.hidden_size()};
}

class EncoderThreads : public testing::EachVariant {};
QUINTET_FOR_EACH_VARIANT(EncoderThreads);

// Short texts, of which the threads share each matrix, and a batch, of which they share the rows.
TEST_P(EncoderThreads, ChangeNoBits) {
  const std::vector<std::vector<size_t>> batches = {{1}, {9}, {40, 3}, {100, 1, 17, 64}};
  for (const Kept& kept : kAllKept) {
    SCOPED_TRACE(kept.name);
    Random random;
    const encoder::Weights weights = random_weights(random, kept);
    std::vector<std::vector<float>> expected;
    Encoder alone(kConfig, weights, kernels());
    for (const auto& lengths : batches) expected.push_back(hidden_states(alone, lengths));
    for (const size_t threads : kThreadCounts) {
      const ThreadCount count(threads);
      Encoder encoder(kConfig, weights, kernels());
      for (size_t i = 0; i < batches.size(); ++i) {
        EXPECT_TRUE(testing::same_bits(hidden_states(encoder, batches[i]), expected[i])) << threads << ", batch " << i;
      }
    }
  }
}

// One that was made for fewer threads has room for more.
TEST_P(EncoderThreads, CanBeAddedAndRemoved) {
  Random random(1);
  const encoder::Weights weights = random_weights(random, kAllKept[2]);
  Encoder encoder(kConfig, weights, kernels());
  const std::vector<size_t> lengths = {90, 5, 61};
  const std::vector<float> expected = hidden_states(encoder, lengths);
  for (const size_t threads : {3, 1, 2, 4}) {
    const ThreadCount count(threads);
    EXPECT_TRUE(testing::same_bits(hidden_states(encoder, lengths), expected)) << threads;
  }
}

}  // namespace
}  // namespace quintet::test
