// Encoders in several files that arrive at the same time.

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/embedding/embedder_loader.h"
#include "tests/formats/converting.h"
#include "tests/formats/gguf_builder.h"
#include "tests/formats/loading.h"
#include "tests/golden/fixture.h"

namespace quintet::test {
namespace {

constexpr uint64_t kWidth = 16, kHead = 8, kInner = 24, kTokens = 8;
// Enough that the head of a file is read long before its end.
constexpr uint64_t kBetween = 4096;

struct TensorKind {
  uint32_t index, count;
};

// The metadata of a model with tensors that are in other files.
GgufBuilder metadata() {
  GgufBuilder builder;
  builder.text("general.architecture", "gemma-embedding").u32("gemma-embedding.block_count", 1);
  builder.u32("gemma-embedding.context_length", 32).u32("gemma-embedding.embedding_length", kWidth);
  builder.u32("gemma-embedding.feed_forward_length", kInner).u32("gemma-embedding.attention.head_count", 2);
  builder.u32("gemma-embedding.attention.head_count_kv", 1).u32("gemma-embedding.attention.key_length", kHead);
  builder.u32("gemma-embedding.attention.value_length", kHead).u32("gemma-embedding.pooling_type", 1);
  builder.f32("gemma-embedding.attention.layer_norm_rms_epsilon", 1e-6F);
  builder.text("tokenizer.ggml.model", "llama");
  builder.strings("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "<0x0A>", "▁", "a", "▁a", "b"});
  builder.floats("tokenizer.ggml.scores", {0, 0, 0, 0, -1, -2, -0.5, -3});
  builder.ints("tokenizer.ggml.token_type", {2, 3, 3, 6, 1, 1, 1, 4});
  builder.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
  return builder;
}

GgufBuilder& part(GgufBuilder& builder, const TensorKind& part) {
  return builder.u32("split.no", part.index).u32("split.count", part.count);
}

void matrix(GgufBuilder& builder, std::string_view name, uint64_t rows, uint64_t cols) {
  GgufBytes values;
  for (uint64_t i = 0; i < rows * cols; ++i) {
    values.number(static_cast<float>(std::sin(static_cast<double>(i * i + name.size())) / 4));
  }
  builder.tensor(name, cols == 1 ? std::vector{rows} : std::vector{cols, rows}, 0, values.bytes);
}

// All but the Dense modules.
void network(GgufBuilder& builder) {
  matrix(builder, "token_embd.weight", kTokens, kWidth);
  matrix(builder, "output_norm.weight", kWidth, 1);
  for (const char* norm : {"attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"}) {
    matrix(builder, std::string("blk.0.") + norm + ".weight", kWidth, 1);
  }
  for (const char* norm : {"attn_q_norm", "attn_k_norm"}) {
    matrix(builder, std::string("blk.0.") + norm + ".weight", kHead, 1);
  }
  matrix(builder, "blk.0.attn_q.weight", 2 * kHead, kWidth);
  matrix(builder, "blk.0.attn_k.weight", kHead, kWidth);
  matrix(builder, "blk.0.attn_v.weight", kHead, kWidth);
  matrix(builder, "blk.0.attn_output.weight", kWidth, 2 * kHead);
  matrix(builder, "blk.0.ffn_gate.weight", kInner, kWidth);
  matrix(builder, "blk.0.ffn_up.weight", kInner, kWidth);
  matrix(builder, "blk.0.ffn_down.weight", kWidth, kInner);
}

void first_dense(GgufBuilder& builder) { matrix(builder, "dense_2.weight", kBetween, kWidth); }
void second_dense(GgufBuilder& builder) { matrix(builder, "dense_3.weight", kWidth, kBetween); }

std::vector<float> vector_of(EmbedderLoader& loader) {
  const auto embedder = loader.finish();
  EXPECT_TRUE(embedder) << embedder.error().detail;
  if (!embedder) return {};
  EXPECT_TRUE((*embedder)->queue_ids(std::vector<uint32_t>{1, 6, 7, 2}));
  EXPECT_TRUE((*embedder)->begin({}));
  for (Result<bool> done = false; !*done;) {
    done = (*embedder)->step();
    EXPECT_TRUE(done);
  }
  return (*embedder)->take();
}

// The file that ends last has the module after the one that ends first.
TEST(SplitEncoder, MayHaveItsDenseModulesInAnyFileAndOrder) {
  GgufBuilder all = metadata(), first = metadata(), second;
  part(first, {0, 2});
  part(second, {1, 2});
  network(all);
  first_dense(all);
  second_dense(all);
  second_dense(first);
  network(second);
  first_dense(second);

  const File file = all.build();
  EmbedderLoader whole({});
  ASSERT_TRUE(whole.begin_file("", file.size()));
  ASSERT_TRUE(whole.feed(file));
  ASSERT_TRUE(whole.end_file());
  const std::vector<float> expected = vector_of(whole);
  ASSERT_EQ(expected.size(), kWidth);

  const File files[] = {first.build(), second.build()};
  const size_t held = files[0].size() - kWidth * kBetween * 2;
  EmbedderLoader split({});
  ASSERT_TRUE(split.begin_file("", files[0].size()));
  ASSERT_TRUE(split.feed(Bytes(files[0]).first(held)));
  EXPECT_EQ(split.headers_read(), 1U);
  ASSERT_TRUE(split.begin_file("", files[1].size()));
  const Status fed = split.feed(files[1]);
  ASSERT_TRUE(fed) << fed.error().detail;
  ASSERT_TRUE(split.end_file());
  split.choose_file(0);
  ASSERT_TRUE(split.feed(Bytes(files[0]).subspan(held)));
  ASSERT_TRUE(split.end_file());
  EXPECT_EQ(vector_of(split), expected);
}

void load(EmbedderLoader& loader, std::string_view path, const File& file) {
  ASSERT_TRUE(loader.begin_file(path, file.size()));
  ASSERT_TRUE(loader.feed(file)) << path;
  ASSERT_TRUE(loader.end_file()) << path;
}

// The second name is that of transformers' model with a head.
TEST(ShardedEncoder, HasEachMatrixOnceWhateverItsName) {
  const std::string folder = "encoders/bert-cls-folder/";
  EmbedderLoader loader({});
  for (const char* name : {"config.json", "vocab.txt"}) load(loader, name, read_fixture(folder + name));
  load(loader, "model.safetensors.index.json", file_of(R"({"weight_map": {}})"));
  const File whole = read_fixture(folder + "model.safetensors");
  const File alias = safetensors_of({{"bert.embeddings.word_embeddings.weight", {1, 4096}, std::vector<float>(4096)}});
  ASSERT_TRUE(loader.begin_file("model-00001-of-00002.safetensors", whole.size()));
  ASSERT_TRUE(loader.feed(Bytes(whole).first(whole.size() / 10)));
  ASSERT_TRUE(loader.begin_file("model-00002-of-00002.safetensors", alias.size()));
  const Status fed = loader.feed(alias);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().reason, Reason::duplicate);
  EXPECT_EQ(fed.error().tensor, "bert.embeddings.word_embeddings.weight");
}

}  // namespace
}  // namespace quintet::test
