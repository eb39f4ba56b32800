// ColBERT from GGUF, as llama.cpp's converter writes LFM2-ColBERT-350M and its bidirectional successor: the network, a
// matrix for each token, and the tokens ahead of texts. All else is PyLate's default.

#include <gtest/gtest.h>

#include "runtime/embedding/embedder_loader.h"
#include "runtime/embedding/token_embedder.h"
#include "tests/formats/gguf_builder.h"
#include "tests/golden/decoder_reference.h"

namespace quintet::test {
namespace {

constexpr uint32_t kBegin = 1, kEnd = 2, kA = 6, kB = 7, kQuery = 8, kDocument = 9, kStop = 10;
constexpr size_t kWidth = 4, kQueryLength = 32;

std::string gguf_name(std::string name) {
  const std::pair<std::string, std::string> names[] = {{"layers.", "blk."},
                                                       {"embed_tokens", "token_embd"},
                                                       {"embedding_norm", "token_embd_norm"},
                                                       {"operator_norm", "attn_norm"},
                                                       {"conv.", "shortconv."},
                                                       {"self_attn.out_proj", "attn_output"},
                                                       {"q_layernorm", "q_norm"},
                                                       {"k_layernorm", "k_norm"},
                                                       {"self_attn.", "attn_"},
                                                       {"_proj", ""},
                                                       {"feed_forward.w1", "ffn_gate"},
                                                       {"feed_forward.w2", "ffn_down"},
                                                       {"feed_forward.w3", "ffn_up"}};
  const bool is_convolution = name.find("conv.") != name.npos;
  for (const auto& [from, to] : names) {
    const size_t at = name.find(from);
    if (at != name.npos && !(is_convolution && from == "_proj")) name.replace(at, from.size(), to);
  }
  return name;
}

File gguf_file(const NamedTensors& tensors, const NamedTensor& dense, bool is_causal) {
  GgufBuilder builder;
  builder.text("general.architecture", "lfm2").u32("lfm2.block_count", kLayers).u32("lfm2.context_length", 64);
  builder.u32("lfm2.embedding_length", kHidden).u32("lfm2.feed_forward_length", kMlp);
  builder.u32("lfm2.attention.head_count", kHeads).ints("lfm2.attention.head_count_kv", {0, kKeyHeads, 0});
  builder.u32("lfm2.attention.key_length", kHeadWidth).u32("lfm2.attention.value_length", kHeadWidth);
  builder.f32("lfm2.attention.layer_norm_rms_epsilon", 1e-5F).f32("lfm2.rope.freq_base", 1e6F);
  builder.u32("lfm2.shortconv.l_cache", 3).u32("lfm2.vocab_size", kVocabulary).u32("lfm2.embedding_length_out", kWidth);
  if (!is_causal) builder.value("lfm2.attention.causal", kGgufBool, GgufBytes().number(uint8_t{0}));
  builder.text("tokenizer.ggml.model", "llama");
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>", "<0x0A>", "▁", "a", "▁a", "b", "[Q] ", "[D] ", "."};
  std::vector<int32_t> types = {2, 3, 3, 6, 1, 1, 1, 1, 4, 4, 1};
  std::vector<float> scores(kVocabulary);
  while (tokens.size() < kVocabulary) tokens.push_back("t" + std::to_string(tokens.size())), types.push_back(1);
  builder.strings("tokenizer.ggml.tokens", tokens).ints("tokenizer.ggml.token_type", types);
  builder.floats("tokenizer.ggml.scores", scores);
  builder.u32("tokenizer.ggml.bos_token_id", kBegin).u32("tokenizer.ggml.eos_token_id", kEnd);
  const auto add = [&](const std::string& name, const NamedTensor& tensor) {
    std::vector<uint64_t> dimensions(tensor.shape.rbegin(), tensor.shape.rend());
    GgufBytes values;
    for (const float value : tensor.values) values.number(value);
    builder.tensor(name, dimensions, 0, values.bytes);
  };
  for (auto [name, tensor] : with_names_of_lfm2(tensors)) {
    std::erase(tensor.shape, 1U);  // of a group of channels
    add(gguf_name(name), tensor);
  }
  add("dense_2.weight", dense);
  return builder.build();
}

// W h of each kept token, of length 1.
std::vector<float> projected(const Rows& hidden, const NamedTensor& dense, const std::vector<uint32_t>& kept) {
  std::vector<float> values;
  for (const uint32_t token : kept) {
    std::vector<double> vector(kWidth);
    double squares = 0;
    for (size_t o = 0; o < kWidth; ++o) {
      for (size_t c = 0; c < kHidden; ++c) vector[o] += dense.values[o * kHidden + c] * hidden[token][c];
      squares += vector[o] * vector[o];
    }
    for (const double value : vector) values.push_back(static_cast<float>(value / std::sqrt(squares)));
  }
  return values;
}

TokenEntries entries_of(TokenEmbedder& embedder) {
  EXPECT_TRUE(embedder.begin());
  for (Result<bool> done = false; !*done;) done = embedder.step();
  return embedder.take().front();
}

void expect_entries(const TokenEntries& entries, const std::vector<uint32_t>& kept,
                    const std::vector<float>& expected) {
  EXPECT_EQ(entries.indices, kept);
  ASSERT_EQ(entries.values.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(entries.values[i], expected[i], 1e-4) << i;
}

TEST(LateInteraction, OfGgufFilesHasPyLatesDefaults) {
  for (const bool is_causal : {true, false}) {
    Otherwise otherwise = {.is_causal = is_causal, .has_qk_norm = true, .base = 1e6, .convolutions = {0, 2}};
    otherwise.seen_before = is_causal ? 2 : 1;
    const RandomTensors tensors = tensors_for(otherwise, false);
    RandomTensors module;
    module.linear("dense", kWidth, kHidden, false);
    const NamedTensor& dense = module.all().at("dense.weight");
    const File file = gguf_file(tensors.all(), dense, is_causal);
    EmbedderLoader loader({});
    ASSERT_TRUE(loader.begin_file("", file.size()));
    const Status fed = loader.feed(file);
    ASSERT_TRUE(fed) << fed.error().detail;
    ASSERT_TRUE(loader.end_file());
    const auto model = loader.finish_model();
    ASSERT_TRUE(model) << model.error().detail;
    EXPECT_EQ((*model)->sentence.vectors(), VectorKind::multi);
    const auto embedder = TokenEmbedder::create(**model);
    ASSERT_TRUE(embedder) << embedder.error().detail;

    // The full stop is punctuation, which has no vector.
    const std::vector<uint32_t> document = {kBegin, kDocument, kA, kStop, kB};
    ASSERT_TRUE((*embedder)->queue_ids(document, TextRole::document));
    const Rows seen = DecoderReference(tensors.all(), otherwise).hidden(document);
    expect_entries(entries_of(**embedder), {0, 1, 2, 4}, projected(seen, dense, {0, 1, 2, 4}));

    // Without a mask token, the end of a text expands a query. Nothing attends to the expansion.
    std::vector<uint32_t> query = {kBegin, kQuery, kA}, all;
    otherwise.keys = query.size();
    ASSERT_TRUE((*embedder)->queue_ids(query, TextRole::query));
    query.resize(kQueryLength, kEnd);
    for (uint32_t i = 0; i < kQueryLength; ++i) all.push_back(i);
    const Rows asked = DecoderReference(tensors.all(), otherwise).hidden(query);
    const std::vector<float> expected = projected(asked, dense, all);
    expect_entries(entries_of(**embedder), all, expected);
    ASSERT_EQ((*embedder)->queue_text("a", TextRole::query, 0), 3U);
    expect_entries(entries_of(**embedder), all, expected);
    EXPECT_EQ((*embedder)->max_length(TextRole::document), 64U);
  }
}

}  // namespace
}  // namespace quintet::test
