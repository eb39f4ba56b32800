// The heads of classifiers: the names of labels, what their logits become, and the tensors of each family.

#include "architectures/encoder/classification_head.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "architectures/encoder/families.h"
#include "architectures/encoder/tensor_names.h"
#include "base/json.h"

namespace quintet::test {
namespace {

using encoder::TensorKind;

struct Read {
  Result<ClassificationHead> head;
  LabelSet labels;
};

Read read(std::string_view config, Classified classified = Classified::texts) {
  LabelSet labels;
  auto head = read_label_head_json(*parse_json(config), classified, labels);
  return {std::move(head), std::move(labels)};
}

std::string config_of(std::string_view fields, std::string_view name = "BertForSequenceClassification") {
  return R"({"architectures": [")" + std::string(name) + R"("], "model_type": "bert", )" + std::string(fields) + "}";
}

TEST(ClassificationHead, HasTheLabelsInOrder) {
  const Read read_head = read(config_of(R"("id2label": {"1": "B", "0": "A", "2": "C"})"));
  ASSERT_TRUE(read_head.head) << read_head.head.error().detail;
  EXPECT_EQ(read_head.head->labels, 3);
  EXPECT_EQ(read_head.labels.names, (std::vector<std::string>{"A", "B", "C"}));
}

TEST(ClassificationHead, ReadsTheActivationOfLogits) {
  const auto scores_of = [](const std::string& fields) { return read(config_of(fields)).labels.scores; };
  const std::string two = R"("id2label": {"0": "A", "1": "B"})";
  EXPECT_EQ(scores_of(two), LabelScores::softmax);
  EXPECT_EQ(scores_of(R"("id2label": {"0": "A"})"), LabelScores::sigmoid);
  EXPECT_EQ(scores_of(two + R"(, "problem_type": "multi_label_classification")"), LabelScores::sigmoid);
  EXPECT_EQ(scores_of(two + R"(, "problem_type": "single_label_classification")"), LabelScores::softmax);
  EXPECT_EQ(scores_of(two + R"(, "problem_type": "regression")"), LabelScores::logits);
  EXPECT_FALSE(read(config_of(two + R"(, "problem_type": "ranking")")).head);
}

TEST(ClassificationHead, LabelsThatDoNotFitAreRejected) {
  for (const char* fields :
       {R"("pad_token_id": 0)", R"("id2label": 1)", R"("id2label": {})", R"("id2label": {"1": "A"})",
        R"("id2label": {"0": "A", "2": "B"})", R"("id2label": {"0": "A", "01": "B"})", R"("id2label": {"0": 1})",
        R"("id2label": {"-1": "A"})", R"("id2label": {"0": "A"}, "num_labels": 2)",
        R"("id2label": {"99999999999999999999999": "A"})"}) {
    const Read read_head = read(config_of(fields));
    ASSERT_FALSE(read_head.head) << fields;
    EXPECT_EQ(read_head.head.error().code, Code::format) << read_head.head.error().detail;
  }
}

TEST(ClassificationHead, OtherClassesAreUnsupported) {
  const std::string labels = R"("id2label": {"0": "A"})";
  EXPECT_EQ(read(config_of(labels, "BertModel")).head.error().code, Code::unsupported);
  EXPECT_EQ(read(config_of(labels), Classified::tokens).head.error().code, Code::unsupported);
  const Read tokens = read(config_of(labels, "BertForTokenClassification"), Classified::tokens);
  ASSERT_TRUE(tokens.head);
  EXPECT_TRUE(tokens.head->is_per_token);
  EXPECT_FALSE(tokens.head->has_dense);
  EXPECT_EQ(read(config_of(labels, "BertForTokenClassification")).head.error().code, Code::unsupported);
}

// transformers' classes for token classification have one linear layer, called classifier, or score with decoders.
TEST(ClassificationHead, OfTokensHasOneNameInEveryFamily) {
  for (const encoder::Family& family : encoder::families()) {
    const encoder::TensorNames names(family, Format::safetensors);
    if (names.spec_of(TensorKind::classifier) == nullptr) continue;
    using enum encoder::Naming;
    const bool is_decoder = family.naming == decoder || family.naming == gemma || family.naming == lfm2;
    const auto classifier = names.ref_of(is_decoder ? "score.weight" : "classifier.weight");
    ASSERT_TRUE(classifier) << family.model_type;
    EXPECT_EQ(classifier->kind(), TensorKind::classifier) << family.model_type;
  }
}

TEST(ClassificationHead, OfGgufFilesHasTheirLabels) {
  ModelDescription description;
  description.format = Format::gguf;
  description.architecture = "bert";
  description.metadata =
      *parse_json(R"({"bert.pooling_type": 4, "bert.classifier.output_labels": ["sad", "glad", "neither"]})");
  LabelSet labels;
  const auto head = read_label_head_gguf(description, labels);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->labels, 3);
  EXPECT_EQ(labels.names, (std::vector<std::string>{"sad", "glad", "neither"}));
  EXPECT_EQ(labels.scores, LabelScores::softmax);
  description.metadata = *parse_json(R"({"bert.pooling_type": 4})");
  EXPECT_EQ(read_label_head_gguf(description, labels).error().code, Code::format);
  description.metadata = *parse_json(R"({"bert.pooling_type": 1})");
  EXPECT_EQ(read_label_head_gguf(description, labels).error().code, Code::unsupported);
}

}  // namespace
}  // namespace quintet::test
