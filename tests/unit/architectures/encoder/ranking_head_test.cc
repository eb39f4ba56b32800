// The heads of rerankers: what the files of each family must have, and what is said where they have something else.

#include "architectures/encoder/ranking_head.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "architectures/encoder/families.h"
#include "architectures/encoder/tensor_names.h"
#include "base/json.h"

namespace quintet::test {
namespace {

using encoder::TensorKind;

Result<ClassificationHead> head_of(std::string_view config, std::string_view score_activation = {}) {
  return read_ranking_head_json(*parse_json("{" + std::string(config) + "}"), score_activation);
}

// Written down from transformers' classes for sequence classification.
struct NamedHead {
  std::string_view model_type, dense, classifier;
  DenseActivation activation;
};
constexpr NamedHead kHeads[] = {
    {"bert", "bert.pooler.dense", "classifier", DenseActivation::tanh},
    {"jina_bert", "bert.pooler.dense", "classifier", DenseActivation::tanh},
    {"roberta", "classifier.dense", "classifier.out_proj", DenseActivation::tanh},
    {"xlm-roberta", "classifier.dense", "classifier.out_proj", DenseActivation::tanh},
    {"camembert", "classifier.dense", "classifier.out_proj", DenseActivation::tanh},
    {"electra", "classifier.dense", "classifier.out_proj", DenseActivation::gelu},
    {"deberta-v2", "pooler.dense", "classifier", DenseActivation::gelu},
    {"mpnet", "classifier.dense", "classifier.out_proj", DenseActivation::tanh},
    {"distilbert", "pre_classifier", "classifier", DenseActivation::relu},
    {"modernbert", "head.dense", "classifier", DenseActivation::gelu},
    {"new", "new.pooler.dense", "classifier", DenseActivation::tanh},
    {"gte", "new.pooler.dense", "classifier", DenseActivation::tanh},
};

TEST(RankingHead, HasTheNamesOfEachFamily) {
  for (const encoder::Family& family : encoder::families()) {
    const encoder::TensorNames names(family, Format::safetensors);
    const auto* expected = std::ranges::find(kHeads, family.model_type, &NamedHead::model_type);
    using enum encoder::Naming;
    if (family.naming == decoder || family.naming == gemma || family.naming == lfm2) {
      const auto score = names.ref_of("score.weight");
      ASSERT_TRUE(score) << family.model_type;
      EXPECT_EQ(score->kind(), TensorKind::classifier);
      EXPECT_EQ(names.spec_of(TensorKind::head_dense), nullptr);
      continue;
    }
    if (expected == std::end(kHeads)) {
      EXPECT_EQ(names.spec_of(TensorKind::classifier), nullptr) << family.model_type;
      continue;
    }
    const auto dense = names.ref_of(std::string(expected->dense) + ".weight");
    ASSERT_TRUE(dense) << family.model_type;
    EXPECT_EQ(dense->kind(), TensorKind::head_dense);
    const auto classifier = names.ref_of(std::string(expected->classifier) + ".bias");
    ASSERT_TRUE(classifier) << family.model_type;
    EXPECT_EQ(classifier->kind(), TensorKind::classifier);
    EXPECT_TRUE(classifier->is_bias);
    EXPECT_EQ(family.head.activation, expected->activation) << family.model_type;
  }
}

// transformers, modeling_layers.py, GenericForSequenceClassification.
TEST(RankingHead, OfDecodersIsOfTheLastToken) {
  for (const std::string type : {"llama", "mistral", "qwen2", "qwen3", "gemma", "gemma3_text", "phi3", "lfm2"}) {
    const auto head = head_of(R"("architectures": ["AnyForSequenceClassification"], "model_type": ")" + type + "\"");
    ASSERT_TRUE(head) << head.error().detail;
    EXPECT_EQ(head->pooling, Pooling::last) << type;
    EXPECT_EQ(head->labels, 1U) << type;
  }
}

TEST(RankingHead, ReadsTheActivationOfScores) {
  EXPECT_TRUE(head_of("")->has_sigmoid);
  EXPECT_TRUE(head_of(R"("sentence_transformers": {"version": "5.0.0"})")->has_sigmoid);
  EXPECT_FALSE(head_of(R"("sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity")")->has_sigmoid);
  constexpr std::string_view kNew = R"("sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"})";
  EXPECT_FALSE(head_of(kNew)->has_sigmoid);
  EXPECT_TRUE(head_of(kNew, "torch.nn.modules.activation.Sigmoid")->has_sigmoid);
  EXPECT_EQ(head_of(kNew, "torch.nn.modules.activation.Softmax").error().code, Code::unsupported);
}

TEST(RankingHead, ModernBertPoolsAsItsConfigurationSays) {
  constexpr std::string_view kType = R"("model_type": "modernbert")";
  EXPECT_EQ(head_of(kType)->pooling, Pooling::cls);
  EXPECT_EQ(head_of(std::string(kType) + R"(, "classifier_pooling": "mean")")->pooling, Pooling::mean);
  EXPECT_FALSE(head_of(std::string(kType) + R"(, "classifier_pooling": "last")"));
  EXPECT_FALSE(head_of(std::string(kType) + R"(, "classifier_activation": "relu")"));
}

TEST(RankingHead, OtherModelsAreUnsupported) {
  for (const char* config :
       {R"("id2label": {"0": "A", "1": "B"})", R"("num_labels": 3)", R"("architectures": ["BertModel"])",
        R"("architectures": ["BertForTokenClassification"])", R"("model_type": "gpt2")"}) {
    const auto head = head_of(config);
    ASSERT_FALSE(head) << config;
    EXPECT_EQ(head.error().code, Code::unsupported) << head.error().detail;
  }
  EXPECT_TRUE(head_of(R"("id2label": {"0": "A"}, "architectures": ["BertForSequenceClassification"])"));
}

ModelDescription gguf(std::string_view architecture, std::string_view fields) {
  ModelDescription description;
  description.format = Format::gguf;
  description.architecture = architecture;
  description.metadata = *parse_json("{" + std::string(fields) + "}");
  return description;
}

TEST(RankingHead, OfGgufFilesPoolsAsLlamaCppDoes) {
  EXPECT_EQ(read_ranking_head_gguf(gguf("bert", R"("bert.pooling_type": 4)"))->pooling, Pooling::cls);
  EXPECT_EQ(read_ranking_head_gguf(gguf("modern-bert", R"("modern-bert.pooling_type": 4)"))->pooling, Pooling::mean);
  EXPECT_FALSE(read_ranking_head_gguf(gguf("bert", R"("bert.pooling_type": 4)"))->has_sigmoid);
}

TEST(RankingHead, OtherGgufFilesAreUnsupported) {
  for (const auto& [architecture, fields] :
       {std::pair("bert", ""), std::pair("bert", R"("bert.pooling_type": 2)"),
        std::pair("llama", R"("llama.pooling_type": 4)"),
        std::pair("bert", R"("bert.pooling_type": 4, "bert.classifier.output_labels": ["yes", "no"])")}) {
    const auto head = read_ranking_head_gguf(gguf(architecture, fields));
    ASSERT_FALSE(head) << fields;
    EXPECT_EQ(head.error().code, Code::unsupported) << head.error().detail;
  }
}

}  // namespace
}  // namespace quintet::test
