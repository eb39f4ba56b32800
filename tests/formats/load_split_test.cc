// A decoder in several GGUF files, the layout of llama.cpp's gguf-split.

#include <gtest/gtest.h>

#include "tests/formats/gguf_builder.h"
#include "tests/formats/loading.h"

namespace quintet::test {
namespace {

struct Split {
  uint32_t index, count, tensors;
};

GgufBuilder part(const Split& split, GgufBuilder builder = {}) {
  builder.u32("split.no", split.index).u32("split.count", split.count).u32("split.tensors.count", split.tensors);
  return builder;
}

// The file of tiny_gguf_llama() has the metadata and all tensors except the norm at the end, which is in the last file.
constexpr uint32_t kTensors = 12;

File first(const Split& split = {0, 2, kTensors}) { return part(split, tiny_gguf_llama()).build(); }

File second(const Split& split = {1, 2, kTensors}, std::string_view name = "rope_freqs.weight") {
  return part(split).tensor(name, {2}, 0, file_of({"\0\0\x80?\0\0\0@", 8})).build();
}

struct Refused {
  const char* what;
  NamedFiles files;
  Code code;
  const char* text;
};

std::vector<Refused> refused_splits() {
  return {
      {"the second is missing", {{"a", first()}}, Code::input, "file 2 of 2"},
      {"the second comes first", {{"b", second()}, {"a", first()}}, Code::input, "expected file 1 of 2"},
      {"the first twice", {{"a", first()}, {"a", first()}}, Code::input, "expected file 2 of 2"},
      {"one too many", {{"a", first()}, {"b", second()}, {"c", second({2, 2, kTensors})}}, Code::input, "found file 3"},
      {"another count", {{"a", first()}, {"b", second({1, 3, kTensors})}}, Code::input, "expected file 2 of 2"},
      {"too few tensors", {{"a", first({0, 2, 13})}, {"b", second()}}, Code::format, "12 tensors"},
      {"a tensor twice", {{"a", first()}, {"b", second({1, 2, 12}, "token_embd.weight")}}, Code::input, "two files"},
      {"a count beyond names", {{"a", first({0, 100'000, 12})}}, Code::format, "split.count"},
      {"another format", {{"a", first()}, {"b.amb", fixture("amb/small.amb")}}, Code::input, ""},
  };
}

TEST(SplitModel, LoadsAsOneFile) {
  const auto whole = load(tiny_gguf_llama().build());
  ASSERT_TRUE(whole) << whole.error().detail;
  const auto split = load(NamedFiles{{"", first()}, {"", second()}});
  ASSERT_TRUE(split) << split.error().detail;
  for (const char* name : {"token_embd.weight", "blk.0.attn_q.weight", "output_norm.weight"}) {
    EXPECT_EQ(held_values(**split, name), held_values(**whole, name)) << name;
  }
  const auto factors = (*split)->weights.rope_freq_factors();
  EXPECT_EQ(std::vector<float>(factors.begin(), factors.end()), (std::vector<float>{1, 2}));
}

// gguf-split --no-tensor-first-split; the embeddings, which show the size of the vocabulary, come later.
TEST(SplitModel, MayHaveAFirstFileWithoutTensors) {
  GgufBuilder head;
  head.text("general.architecture", "llama").u32("llama.block_count", 1).u32("llama.context_length", 64);
  head.u32("llama.embedding_length", 16).u32("llama.feed_forward_length", 24).u32("llama.attention.head_count", 4);
  head.u32("llama.attention.head_count_kv", 2).f32("llama.attention.layer_norm_rms_epsilon", 0.25F);
  head.u32("llama.vocab_size", 6);
  const File tensors = part({1, 2, 11}, tiny_gguf_llama()).build();
  const auto model = load(NamedFiles{{"", part({0, 2, 11}, head).build()}, {"", tensors}});
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ((*model)->config.n_vocab, 8U);
}

TEST(SplitModel, IsConvertedAsOneFile) {
  const NamedFiles files = {{"", first()}, {"", second()}};
  const auto converted = convert(files, R"({"to": "amb"})");
  ASSERT_TRUE(converted) << converted.error().detail;
  const auto model = load(*converted);
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ((*model)->weights.rope_freq_factors().size(), 2U);
}

TEST(SplitModel, IsRejectedIfAFileIsMissingOrWrong) {
  for (const Refused& each : refused_splits()) {
    const auto loaded = load(each.files);
    ASSERT_FALSE(loaded) << each.what;
    EXPECT_EQ(loaded.error().code, each.code) << each.what << ": " << loaded.error().detail;
    EXPECT_NE(loaded.error().detail.find(each.text), std::string::npos) << each.what << ": " << loaded.error().detail;
    EXPECT_FALSE(convert(each.files, R"({"to": "amb"})")) << each.what;
  }
}

}  // namespace
}  // namespace quintet::test
