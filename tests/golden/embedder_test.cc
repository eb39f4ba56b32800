// The encoder against vectors that were computed in float64 by independent code (tests/fixtures/embd/README.md).

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/json.h"
#include "kernels/registry.h"
#include "runtime/embedding/embedder_loader.h"
#include "tests/golden/fixture.h"

namespace quintet::test {
namespace {

Result<std::unique_ptr<TextEmbedder>> load_bytes(const std::vector<std::byte>& bytes, const EmbedderOptions& options) {
  EmbedderLoader loader(options);
  QUINTET_CHECK(loader.begin_file("", bytes.size()));
  QUINTET_CHECK(loader.feed(bytes));
  QUINTET_CHECK(loader.end_file());
  return loader.finish();
}

std::unique_ptr<TextEmbedder> load(const std::string& file, size_t attention_heads = 0) {
  auto loaded = load_bytes(read_fixture("embd/" + file + ".weights"), {.attention_heads = attention_heads});
  EXPECT_TRUE(loaded) << file << ": " << loaded.error().detail;
  return *std::move(loaded);
}

std::vector<std::string> fixture_texts() {
  const std::vector<std::byte> bytes = read_fixture("embd/tokens.json");
  const Result<Json> json = parse_json(as_text(bytes));
  EXPECT_TRUE(json);
  std::vector<std::string> texts;
  for (const Json& entry : *json->as_array()) texts.push_back(*entry.find("text")->as_string());
  return texts;
}

// Runs what is queued.
std::vector<float> run(TextEmbedder& embedder, Pooling pooling = Pooling::mean, bool normalize = true) {
  EXPECT_TRUE(embedder.begin({.pooling = pooling, .normalize = normalize}));
  for (Result<bool> done = false; !*done;) {
    done = embedder.step();
    EXPECT_TRUE(done);
  }
  return embedder.take();
}

std::vector<float> embed(TextEmbedder& embedder, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_TRUE(embedder.queue_text(text, 0, embedder.max_length(), TextEmbedder::Excess::cut));
  }
  return run(embedder);
}

void expect_rows_near(const std::vector<float>& actual, const Npy& expected, size_t first_row, size_t rows,
                      double tolerance) {
  ASSERT_EQ(actual.size(), rows * expected.cols);
  ASSERT_LE(first_row + rows, expected.rows);
  for (size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected.row(first_row)[i], tolerance)
        << "row " << first_row + i / expected.cols << " column " << i % expected.cols;
  }
}

struct GoldenModel {
  const char* file;
  double tolerance;
  size_t attention_heads;
};

// Where the weights stand in another order, the vectors are the same.
std::string expected_file(const GoldenModel& golden) {
  const bool flat = std::string_view(golden.file).starts_with("flat");
  return std::string("embd/") + (flat ? "flat" : golden.file) + ".embeddings.npy";
}

class GoldenEmbedder : public testing::TestWithParam<GoldenModel> {};

// The tolerances of the fixtures: float arithmetic 5e-6, activations in 7 bits 0.02.
INSTANTIATE_TEST_SUITE_P(Fixtures, GoldenEmbedder,
                         testing::Values(GoldenModel{"f32", 5e-6, 0}, GoldenModel{"f16", 5e-6, 0},
                                         GoldenModel{"bf16", 5e-6, 0}, GoldenModel{"mixed", 5e-6, 0},
                                         GoldenModel{"nochk", 5e-6, 0}, GoldenModel{"unaligned", 5e-6, 0},
                                         GoldenModel{"int8-row", 0.02, 0}, GoldenModel{"int8-group-16", 0.02, 0},
                                         GoldenModel{"flat", 5e-6, 4}, GoldenModel{"flat-transposed", 5e-6, 4}),
                         [](const auto& golden) {
                           std::string name = golden.param.file;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST_P(GoldenEmbedder, GivesTheVectorsOfTheTextsWithEveryKernelVariant) {
  const GoldenModel& golden = GetParam();
  const Npy expected = read_npy(expected_file(golden));
  const std::string before(active_kernels<KernelSet::encoder>().name);
  for (const Kernels* kernels : compiled_kernels<KernelSet::encoder>()) {
    SCOPED_TRACE(kernels->name);
    ASSERT_TRUE(force_kernels<KernelSet::encoder>(kernels->name));
    const std::vector<std::string> texts = fixture_texts();
    expect_rows_near(embed(*load(golden.file, golden.attention_heads), texts), expected, 0, texts.size(),
                     golden.tolerance);
  }
  ASSERT_TRUE(force_kernels<KernelSet::encoder>(before));
}

TEST_P(GoldenEmbedder, GivesTheVectorsOfRawIds) {
  const GoldenModel& golden = GetParam();
  const Npy expected = read_npy(expected_file(golden));
  const std::unique_ptr<TextEmbedder> embedder = load(golden.file, golden.attention_heads);
  const std::vector<std::vector<uint32_t>> raw_ids = {
      {101, 150, 160, 102}, {101, 102}, {0, 1, 2, 3, 4, 5, 6, 7}, {103}};
  for (const auto& ids : raw_ids) ASSERT_TRUE(embedder->queue_ids(ids));
  expect_rows_near(run(*embedder), expected, fixture_texts().size(), raw_ids.size(), golden.tolerance);
}

// A text's vector is the same bits alone or in any batch.
TEST_P(GoldenEmbedder, GivesTheSameBitsAloneAndInABatch) {
  const GoldenModel& golden = GetParam();
  const std::unique_ptr<TextEmbedder> embedder = load(golden.file, golden.attention_heads);
  const std::vector<std::string> texts = fixture_texts();
  const std::vector<float> together = embed(*embedder, texts);
  const size_t dimension = embedder->dimension();
  ASSERT_EQ(together.size(), texts.size() * dimension);
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::vector<float> alone = embed(*embedder, {texts[i]});
    ASSERT_EQ(alone.size(), dimension);
    EXPECT_EQ(std::memcmp(alone.data(), together.data() + i * dimension, dimension * sizeof(float)), 0) << texts[i];
  }
}

TEST(Embedder, PoolsTheHiddenStatesAsRequested) {
  const Npy hidden = read_npy("embd/f32.hidden.npy");
  const std::unique_ptr<TextEmbedder> embedder = load("f32");
  const std::string text = fixture_texts().front();
  for (const Pooling pooling : {Pooling::mean, Pooling::cls, Pooling::max, Pooling::last}) {
    ASSERT_TRUE(embedder->queue_text(text, 0, embedder->max_length(), TextEmbedder::Excess::cut));
    const std::vector<float> vector = run(*embedder, pooling, false);
    for (size_t d = 0; d < hidden.cols; ++d) {
      double sum = 0;
      double largest = hidden.row(0)[d];
      for (size_t t = 0; t < hidden.rows; ++t) {
        sum += hidden.row(t)[d];
        largest = std::max<double>(largest, hidden.row(t)[d]);
      }
      const double expected = pooling == Pooling::mean   ? sum / static_cast<double>(hidden.rows)
                              : pooling == Pooling::cls  ? hidden.row(0)[d]
                              : pooling == Pooling::last ? hidden.row(hidden.rows - 1)[d]
                                                         : largest;
      EXPECT_NEAR(vector[d], expected, 3e-5) << "column " << d;
    }
  }
}

// The first elements, of length 1 again.
TEST(Embedder, KeepsTheFirstElements) {
  const std::unique_ptr<TextEmbedder> embedder = load("f32");
  const std::string text = fixture_texts().front();
  const std::vector<float> whole = embed(*embedder, {text});
  double squares = 0;
  for (size_t d = 0; d < 8; ++d) squares += static_cast<double>(whole[d]) * whole[d];
  ASSERT_TRUE(embedder->queue_text(text, 0, embedder->max_length(), TextEmbedder::Excess::cut));
  ASSERT_TRUE(embedder->begin({.dimensions = 8}));
  while (!*embedder->step()) {
  }
  const std::vector<float> first = embedder->take();
  ASSERT_EQ(first.size(), 8U);
  for (size_t d = 0; d < 8; ++d) EXPECT_NEAR(first[d], whole[d] / std::sqrt(squares), 1e-6);
  EXPECT_FALSE(embedder->begin({.dimensions = whole.size() + 1}));
}

// The file says nothing about its pooling.
TEST(Embedder, WarnsThatThePoolingIsAGuess) {
  const std::unique_ptr<TextEmbedder> embedder = load("f32");
  EXPECT_EQ(embedder->default_output().pooling, Pooling::mean);
  ASSERT_EQ(embedder->model().description.warnings.size(), 1U);
  EXPECT_TRUE(embedder->model().description.warnings.front().ends_with("mean is a guess"));
}

TEST(Embedder, CutsLongTextsAtTheRequestedEnd) {
  const std::unique_ptr<TextEmbedder> embedder = load("f32");
  std::string text;
  for (int i = 0; i < 100; ++i) text += "quick brown fox ";
  const Result<size_t> tokens = embedder->queue_text(text, 0, 16, TextEmbedder::Excess::cut);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(*tokens, 302U);
  EXPECT_EQ(embedder->queued_tokens(), 16U);
}

// The average of the parts by length, computed here from the parts' own vectors.
TEST(Embedder, AveragesTheChunksOfALongText) {
  const std::unique_ptr<TextEmbedder> embedder = load("f32");
  std::string text;
  for (int i = 0; i < 10; ++i) text += "quick brown fox ";
  ASSERT_TRUE(embedder->queue_text(text, 0, 14, TextEmbedder::Excess::chunk));
  const std::vector<float> chunked = run(*embedder);

  const std::vector<uint32_t> ids = *embedder->tokenize(text);
  ASSERT_EQ(ids.size(), 32U);  // 30 tokens: parts of 12, 12 and 6
  std::vector<double> expected(embedder->dimension());
  for (size_t begin = 1; begin < 31; begin += 12) {
    const size_t end = std::min<size_t>(begin + 12, 31);
    std::vector<uint32_t> part = {ids.front()};
    part.insert(part.end(), ids.begin() + static_cast<std::ptrdiff_t>(begin),
                ids.begin() + static_cast<std::ptrdiff_t>(end));
    part.push_back(ids.back());
    ASSERT_TRUE(embedder->queue_ids(part));
    const std::vector<float> vector = run(*embedder);
    for (size_t d = 0; d < vector.size(); ++d) expected[d] += vector[d] * static_cast<double>(end - begin) / 30;
  }
  double squares = 0;
  for (const double value : expected) squares += value * value;
  for (size_t d = 0; d < expected.size(); ++d) {
    EXPECT_NEAR(chunked[d], expected[d] / std::sqrt(squares), 1e-6) << "column " << d;
  }
}

// Like the test above; before each part is the prompt, whose tokens have no weight.
TEST(Embedder, PutsThePromptBeforeEveryChunk) {
  const std::unique_ptr<TextEmbedder> embedder = load("f32");
  const std::string prompt = "the dog ";
  std::string text;
  for (int i = 0; i < 10; ++i) text += "quick brown fox ";
  ASSERT_TRUE(embedder->queue_text(prompt + text, prompt.size(), 14, TextEmbedder::Excess::chunk));
  EXPECT_EQ(embedder->queued_tokens(), 14U + 14 + 14);
  const std::vector<float> chunked = run(*embedder);

  const std::vector<uint32_t> start = *embedder->tokenize(prompt);
  const std::vector<uint32_t> ids = *embedder->tokenize(text);
  ASSERT_EQ(start.size(), 4U);
  ASSERT_EQ(ids.size(), 32U);  // 30 tokens: parts of 10
  std::vector<double> expected(embedder->dimension());
  for (std::ptrdiff_t begin = 1; begin < 31; begin += 10) {
    std::vector<uint32_t> part(start.begin(), start.end() - 1);
    part.insert(part.end(), ids.begin() + begin, ids.begin() + begin + 10);
    part.push_back(ids.back());
    ASSERT_TRUE(embedder->queue_ids(part));
    const std::vector<float> vector = run(*embedder);
    for (size_t d = 0; d < vector.size(); ++d) expected[d] += vector[d] / 3.0;
  }
  double squares = 0;
  for (const double value : expected) squares += value * value;
  for (size_t d = 0; d < expected.size(); ++d) {
    EXPECT_NEAR(chunked[d], expected[d] / std::sqrt(squares), 1e-6) << "column " << d;
  }
}

TEST(Embedder, RejectsAPromptThatLeavesNoRoom) {
  const std::unique_ptr<TextEmbedder> embedder = load("f32");
  const std::string prompt = "quick brown fox ";
  for (const auto excess : {TextEmbedder::Excess::cut, TextEmbedder::Excess::chunk}) {
    const auto tokens = embedder->queue_text(prompt + "dog dog", prompt.size(), 5, excess);
    ASSERT_FALSE(tokens);
    EXPECT_EQ(tokens.error().code, Code::input);
    EXPECT_EQ(tokens.error().detail, "maxLength 5; the model supports 6 to 64 tokens with this prompt");
    EXPECT_TRUE(embedder->queue_text(prompt + "dog dog", prompt.size(), 6, excess));
  }
  EXPECT_EQ(embedder->queued_texts(), 2U);
  embedder->cancel();
}

TEST(Embedder, RejectsUnsupportedOptions) {
  const std::unique_ptr<TextEmbedder> embedder = load("f32");
  EXPECT_FALSE(embedder->queue_text("x", 0, 1, TextEmbedder::Excess::cut));
  EXPECT_FALSE(embedder->queue_text("x", 0, 2, TextEmbedder::Excess::chunk));
  EXPECT_FALSE(embedder->queue_text("x", 0, 65, TextEmbedder::Excess::cut));
  EXPECT_FALSE(embedder->queue_ids(std::vector<uint32_t>{}));
  EXPECT_FALSE(embedder->queue_ids(std::vector<uint32_t>{420}));
  EXPECT_FALSE(embedder->queue_ids(std::vector<uint32_t>(65, 101)));
  EXPECT_EQ(embedder->queued_texts(), 0U);
  EXPECT_FALSE(embedder->step());
}

TEST(Embedder, RejectsHeadsThatDoNotDivideTheHiddenSize) {
  const auto loaded = load_bytes(read_fixture("embd/flat.weights"), {.attention_heads = 5});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::input);
}

}  // namespace
}  // namespace quintet::test
