// The rules for tensors that decoders and encoders share: which part of a model each is, and whether it may be.

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "architectures/encoder/families.h"
#include "models/decoder/weights_loader.h"
#include "models/encoder/weights_loader.h"

namespace quintet::test {
namespace {

constexpr uint64_t kWidth = 4, kInner = 2, kExperts = 2;

TensorInfo floats(std::string name, std::vector<uint64_t> shape) {
  TensorInfo info;
  info.name = std::move(name);
  info.shape = std::move(shape);
  info.bytes = info.elements() * sizeof(float);
  return info;
}

// first, first + 1, first + 2 ...
std::vector<float> counting(float first, size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class EncoderLoader {
 public:
  explicit EncoderLoader(uint64_t experts = kExperts) : loader_(weights, false) {
    EncoderConfig config = encoder::bert_config();
    config.model_type = "nomic_bert_moe";
    config.n_embd = kWidth;
    config.n_layers = 2;
    config.expert_interval = 2;
    config.n_experts = experts;
    config.expert_ff = kInner;
    loader_.begin(encoder::TensorNames(encoder::family_of(config), Format::safetensors), config);
  }

  Status announce(const TensorInfo& info) { return loader_.announce(info); }
  Result<std::unique_ptr<ByteSink>> sink(const TensorInfo& info) { return loader_.tensor({.info = info}); }
  void store(const TensorInfo& info, const std::vector<float>& values) {
    ASSERT_TRUE(announce(info)) << info.name;
    auto opened = sink(info);
    ASSERT_TRUE(opened && *opened) << info.name;
    ASSERT_TRUE((*opened)->write(std::as_bytes(std::span(values))));
    ASSERT_TRUE((*opened)->finish());
  }
  // The matrix of an expert, row by row.
  std::vector<float> expert(uint32_t number, encoder::TensorKind kind) {
    const PackedMatrix& matrix = weights.layers[1].expert(number, kind).matrix;
    std::vector<float> values(matrix.rows() * matrix.cols());
    for (size_t row = 0; row < matrix.rows(); ++row) matrix.read_row(row, values.data() + row * matrix.cols());
    return values;
  }

  encoder::Weights weights;

 private:
  encoder::WeightsLoader loader_;
};

void expect_error(const auto& result, Code code, Reason reason, std::string_view part) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code);
  EXPECT_EQ(result.error().reason, reason);
  EXPECT_NE(result.error().detail.find(part), std::string::npos) << result.error().detail;
}

TEST(TransformerWeights, HaveOneVectorAndOneBiasForEachModule) {
  for (const std::string part : {".weight", ".bias"}) {
    EncoderLoader loader;
    loader.store(floats("encoder.layers.0.norm1" + part, {kWidth}), counting(1, kWidth));
    const TensorInfo alias = floats("bert.encoder.layers.0.norm1" + part, {kWidth});
    ASSERT_TRUE(loader.announce(alias));
    expect_error(loader.sink(alias), Code::format, Reason::duplicate, "second tensor for the same part");
  }
}

TEST(TransformerWeights, HaveOneMatrixForEachModuleAlsoBeforeItsBytesArrive) {
  EncoderLoader loader;
  const TensorInfo first = floats("encoder.layers.0.mlp.fc1.weight", {kInner, kWidth});
  TensorInfo second = first;
  second.name = "bert." + first.name;
  ASSERT_TRUE(loader.announce(first));
  ASSERT_TRUE(loader.announce(second));
  ASSERT_TRUE(loader.sink(first));
  expect_error(loader.sink(second), Code::format, Reason::duplicate, "second tensor for the same part");
}

TEST(TransformerWeights, OfAllExpertsAreDividedIntoTheirMatrices) {
  EncoderLoader loader;
  loader.store(floats("encoder.layers.1.mlp.experts.mlp.w1", {kExperts * kInner, kWidth}), counting(0, 16));
  loader.store(floats("encoder.layers.1.mlp.experts.mlp.w2", {kExperts * kInner, kWidth}), counting(0, 16));
  EXPECT_EQ(loader.expert(0, encoder::TensorKind::expert_up), counting(0, 8));
  EXPECT_EQ(loader.expert(1, encoder::TensorKind::expert_up), counting(8, 8));
  // The file has its columns.
  EXPECT_EQ(loader.expert(1, encoder::TensorKind::expert_down), (std::vector<float>{8, 12, 9, 13, 10, 14, 11, 15}));
}

TEST(TransformerWeights, OfAnotherNumberOfExpertsAreAnError) {
  EncoderLoader loader;
  for (const std::vector<uint64_t>& shape : {std::vector<uint64_t>{3, kWidth}, {kExperts, kInner, kWidth}, {kWidth}}) {
    expect_error(loader.announce(floats("encoder.layers.1.mlp.experts.mlp.w1", shape)), Code::format, Reason::mismatch,
                 "expected the matrices of 2 experts");
  }
}

// A configuration may say that there are none, whatever the file has.
TEST(TransformerWeights, OfExpertsThatTheModelDoesNotHaveAreLeftOut) {
  for (const uint64_t experts : {uint64_t{0}, kExperts}) {
    EncoderLoader loader(experts);
    const std::string layer = experts == 0 ? "1" : "0";  // of those with experts, or of those without
    const TensorInfo info = floats("encoder.layers." + layer + ".mlp.experts.mlp.w1", {kExperts * kInner, kWidth});
    ASSERT_TRUE(loader.announce(info));
    const auto sink = loader.sink(info);
    ASSERT_TRUE(sink);
    EXPECT_EQ(*sink, nullptr);
  }
}

TEST(TransformerWeights, OfAllExpertsHaveNoScalesInOtherTensors) {
  EncoderLoader loader;
  TensorInfo info = floats("encoder.layers.1.mlp.experts.mlp.w1", {kExperts * kInner, kWidth});
  info.dtype = Dtype::i8;
  info.bytes = info.elements();
  ASSERT_TRUE(loader.announce(info));
  auto sink = loader.sink(info);
  ASSERT_TRUE(sink && *sink);
  const std::vector<std::byte> bytes(info.bytes);
  expect_error((*sink)->write(bytes), Code::unsupported, Reason::unsupported, "all experts in one int8 tensor");
}

TEST(TransformerWeights, WiderThanAnyModelAreAnErrorOfBoth) {
  const std::vector<uint64_t> shape = {1, kMaxWidth + 1};
  EncoderLoader encoder;
  const TensorInfo fc1 = floats("encoder.layers.0.mlp.fc1.weight", shape);
  ASSERT_TRUE(encoder.announce(fc1));
  expect_error(encoder.sink(fc1), Code::format, Reason::mismatch, "expected a matrix");

  decoder::WeightsLoader loader(std::nullopt);
  DecoderConfig config;
  config.n_layers = 1;
  loader.begin(config, decoder::TensorNames(ModelDescription()));
  expect_error(loader.announce(floats("model.layers.0.mlp.up_proj.weight", shape)), Code::format, Reason::mismatch,
               "expected a matrix");
}

}  // namespace
}  // namespace quintet::test
