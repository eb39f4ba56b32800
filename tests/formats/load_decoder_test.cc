// The values of a loaded decoder, compared with those that a reader gives of the same file.

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/inspect/describe.h"
#include "runtime/inspect/memory_estimate.h"
#include "tests/formats/expected.h"
#include "tests/formats/loading.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

using Quantize = GeneratorOptions::Quantize;

// All fixtures that hold a model.
std::vector<std::string> model_fixtures() {
  std::vector<std::string> files;
  for (const std::string& file : fixture_files("amb/expected.json")) files.push_back("amb/" + file);
  for (const std::string& file : fixture_files("alt/expected.json")) {
    if (file != "ref-tokenizer.alt") files.push_back("alt/" + file);
  }
  return files;
}

// Values that count from an offset lie around 0 in memory, so that their sums are rounded in another way.
bool has_offsets(const WeightMatrix* matrix) {
  const auto* blocks = matrix ? std::get_if<BlockMatrix>(matrix) : nullptr;
  return blocks && blocks->layout().has_offsets;
}

// An output matrix is unused if the embeddings are tied to it.
bool is_unused(const GeneratorModel& model, const std::string& name) {
  return name == "lm_head.weight" && *model.config.tie_embeddings;
}

void expect_same_model(const GeneratorModel& model, const ReadFile& file) {
  size_t seen = 0;
  for (const TensorInfo& info : file.description.tensors) {
    SCOPED_TRACE(info.name);
    const auto held = held_values(model, info.name);
    if (!held || is_unused(model, info.name)) continue;
    ++seen;
    const std::vector<float> expected = dequantized(file, info.name);
    if (has_offsets(held_matrix(model, info.name))) {
      expect_near_values(*held, expected, 2);
    } else {
      expect_same_values(*held, expected);
    }
  }
  EXPECT_GE(seen, model.weights.layers.size() * 7);
}

class LoadedFixture : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes_ = fixture(GetParam());
    auto read = read_file(bytes_);
    ASSERT_TRUE(read) << read.error().detail;
    read_ = *std::move(read);
  }
  File bytes_;
  ReadFile read_;
};

TEST_P(LoadedFixture, HoldsTheValuesOfTheFile) {
  const auto model = load(bytes_);
  ASSERT_TRUE(model) << model.error().detail;
  expect_same_model(**model, read_);
  EXPECT_EQ((*model)->context_length, (*model)->config.max_seq_len);
}

TEST_P(LoadedFixture, IsTheSameInChunksOfAnySize) {
  for (const size_t chunk : {1, 2, 3, 7, 64, 1000}) {
    const auto model = load(bytes_, {.chunk = chunk, .length_known = chunk % 2 == 0});
    ASSERT_TRUE(model) << model.error().detail;
    expect_same_model(**model, read_);
  }
}

TEST_P(LoadedFixture, TakesTheMemoryThatInspectionReports) {
  const auto model = load(bytes_);
  ASSERT_TRUE(model);
  const double told = static_cast<double>(estimate_memory(read_.description).weights);
  const double held = static_cast<double>((*model)->weights.bytes());
  EXPECT_NEAR(told, held, std::max(0.03 * held, 100.0));
  const Json info = describe(**model);
  EXPECT_EQ(info.find("memory")->find("weights")->as_uint(), (*model)->weights.bytes());
  EXPECT_EQ(info.find("tokenizer")->find("size") == nullptr, read_.description.tokenizer.type() == TokenizerType::none);
}

double bits_of_file(const TensorInfo& info) {
  if (info.quantization.scheme == Scheme::adaptive) return 0;
  return 8.0 * static_cast<double>(info.bytes) / static_cast<double>(info.elements());
}

// The values of a matrix after the encoders of the formats.
std::vector<float> requantized(const std::vector<float>& values, Quantize to, size_t block) {
  const Scheme scheme = to == Quantize::int4 ? Scheme::int4_block : Scheme::int8;
  const auto stored = encoded(values, Dtype::f32, {.scheme = scheme, .block = static_cast<uint32_t>(block)});
  EXPECT_TRUE(stored);
  return *decoded(*stored);
}

TEST_P(LoadedFixture, IsRequantizedAsTheEncodersDoIt) {
  for (const Quantize to : {Quantize::int8, Quantize::int4}) {
    const auto model = load(bytes_, {.options = {.quantize = to}, .chunk = 100});
    ASSERT_TRUE(model) << model.error().detail;
    for (const TensorInfo& info : read_.description.tensors) {
      SCOPED_TRACE(info.name);
      const WeightMatrix* matrix = held_matrix(**model, info.name);
      const auto* blocks = matrix ? std::get_if<BlockMatrix>(matrix) : nullptr;
      const double max = to == Quantize::int4 ? 5 : 9;
      if (!blocks || is_unused(**model, info.name)) continue;
      const std::vector<float> values = dequantized(read_, info.name);
      if (bits_of_file(info) >= max && info.quantization.scheme != Scheme::qint4) {
        EXPECT_EQ(blocks->bits(), to == Quantize::int4 ? BlockBits::four : BlockBits::eight);
        expect_same_values(values_of(*matrix), requantized(values, to, blocks->block()));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, LoadedFixture, testing::ValuesIn(model_fixtures()),
                         [](const auto& info) { return test_name(info.param); });

TEST(LoadedDecoder, KeepsWhatIsQuantizedFinerAlready) {
  const auto plain = load(fixture("amb/llama-int4block.amb"));
  const auto asked = load(fixture("amb/llama-int4block.amb"), {.options = {.quantize = Quantize::int4}});
  ASSERT_TRUE(plain && asked);
  for (const TensorInfo& info : (*plain)->description.tensors) {
    expect_same_values(*held_values(**asked, info.name), *held_values(**plain, info.name));
  }
}

const BlockMatrix& blocks_of(const GeneratorModel& model, std::string_view name) {
  return std::get<BlockMatrix>(*held_matrix(model, name));
}

TEST(LoadedDecoder, KeepsTheBitsOfTheFile) {
  const std::pair<const char*, BlockBits> files[] = {
      {"amb/llama-int4.amb", BlockBits::four},      {"amb/llama-int5block.amb", BlockBits::five},
      {"amb/llama-int8.amb", BlockBits::eight},     {"alt/q4-sym-packed.alt", BlockBits::four},
      {"alt/q4-aff-unpacked.alt", BlockBits::four}, {"alt/q8-aff.alt", BlockBits::eight}};
  for (const auto& [file, bits] : files) {
    const auto model = load(fixture(file));
    ASSERT_TRUE(model) << file;
    EXPECT_EQ(blocks_of(**model, "model.layers.0.self_attn.q_proj.weight").bits(), bits) << file;
  }
  const auto adaptive = load(fixture("amb/llama-adaptive.amb"));
  ASSERT_TRUE(adaptive);
  EXPECT_TRUE(std::get_if<AdaptiveMatrix>(held_matrix(**adaptive, "model.layers.0.mlp.up_proj.weight")));
}

TEST(LoadedDecoder, HasTheRequestedContext) {
  const File file = fixture("amb/llama-f32.amb");
  const auto model = load(file, {.options = {.context_length = 100}});
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->context_length, 100);
  const auto refused = load(file, {.options = {.context_length = 2049}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::input);
  EXPECT_EQ(refused.error().reason, Reason::out_of_range);
}

TEST(LoadedDecoder, IsRejectedBeforeItsWeightsIfItDoesNotFit) {
  const File file = fixture("amb/llama-f32.amb");
  // 2 layers, 2 heads of 8 for keys and for values, in float32.
  constexpr uint64_t kCache = 2 * 2 * 8 * 2 * 4 * 2048;
  EXPECT_TRUE(load(file, {.available = file.size() + kCache}));
  GeneratorLoader loader({}, std::nullopt, 70000 + kCache);
  ASSERT_TRUE(loader.begin_file("", file.size()));
  const Status status = loader.feed(Bytes(file).first(400));  // the first tensor's data begins at byte 363
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::memory);
  EXPECT_EQ(status.error().detail, "needs " + std::to_string(file.size() + kCache) + " bytes (weights " +
                                       std::to_string(file.size()) + ", KV cache " + std::to_string(kCache) +
                                       "), but " + std::to_string(70000 + kCache) + " are available");
}

TEST(LoadedDecoder, OfUnknownSizeIsRejectedAtTheTensorThatDoesNotFit) {
  const auto refused =
      load(fixture("amb/llama-f32.amb"), {.options = {.context_length = 1}, .available = 60000, .length_known = false});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::memory);
}

TEST(LoadedDecoder, RejectsATokenizerAlone) {
  const auto refused = load(fixture("alt/ref-tokenizer.alt"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::missing);
  EXPECT_EQ(refused.error().format, "alt");
}

TEST(LoadedDecoder, RejectsModelsOfOtherKinds) {
  const std::pair<const char*, const char*> files[] = {{"embd/small.weights", "Embedder"},
                                                       {"tinyruntime/small-dq.bin", "ImageClassifier"}};
  for (const auto& [file, loads] : files) {
    const auto refused = load(fixture(file));
    ASSERT_FALSE(refused) << file;
    EXPECT_EQ(refused.error().code, Code::unsupported);
    EXPECT_NE(refused.error().detail.find(loads), std::string::npos) << refused.error().detail;
  }
}

TEST(LoadedDecoder, IsOneModel) {
  const File file = fixture("amb/small.amb");
  EXPECT_EQ(load(NamedFiles{{"a.amb", file}, {"b.amb", file}}).error().code, Code::input);
  EXPECT_EQ(load(NamedFiles{}).error().code, Code::input);
}

}  // namespace
}  // namespace quintet::test
