#include "architectures/encoder/ranking_head.h"

#include <string>

#include "architectures/config_fields.h"
#include "architectures/encoder/families.h"

namespace quintet {
namespace {

using encoder::Family;

// Text for error messages.
std::string labels_problem(uint64_t labels) { return formatted("{} labels; a reranker has 1", labels); }

bool are_yes_and_no(const Json::Array& labels) {
  const auto is = [](const Json& label, std::string_view text) {
    return label.as_string() && *label.as_string() == text;
  };
  return labels.size() == 2 && is(labels[0], "yes") && is(labels[1], "no");
}

constexpr std::string_view kClassifier = "ForSequenceClassification";

Status check_class(const Json& config, const ConfigFields& fields) {
  QUINTET_TRY(const Json::Array* classes, fields.list("architectures"));
  if (!classes || classes->empty() || encoder::is_of_class(config, kClassifier)) return {};
  return fields.unsupported("architectures", "expected a class that ends with {}", kClassifier);
}

Status check_labels(const ConfigFields& fields) {
  const Json* names = fields.find("id2label");
  if (names && !names->as_object()) return fields.wrong(Reason::malformed, "id2label", "expected an object");
  if (names && names->as_object()->size() != 1) {
    return fields.unsupported("id2label", "{}", labels_problem(names->as_object()->size()));
  }
  uint64_t labels = 1;
  QUINTET_CHECK(fields.natural("num_labels", 0, UINT32_MAX, labels));
  return labels == 1 ? Status() : fields.unsupported("num_labels", "{}", labels_problem(labels));
}

// The name of PyTorch's class: of sentence-transformers since version 4, before it, or none, which means the sigmoid.
Result<bool> reads_sigmoid(const ConfigFields& fields, std::string_view score_activation) {
  std::string name(score_activation);
  if (const Json* nested = fields.find("sentence_transformers"); nested && name.empty()) {
    const ConfigFields inner(*nested, "config.json: sentence_transformers", ConfigFields::Nulls::absent);
    QUINTET_CHECK(inner.text("activation_fn", name));
  }
  if (name.empty()) QUINTET_CHECK(fields.text("sbert_ce_default_activation_function", name));
  const std::string type = name.substr(name.find_last_of('.') + 1);
  if (type.empty() || type == "Sigmoid") return true;
  if (type == "Identity") return false;
  return unsupported_error("the activation of scores is {}; supported are Identity and Sigmoid", name);
}

}  // namespace

Result<ClassificationHead> read_ranking_head_json(const Json& config, std::string_view score_activation) {
  const ConfigFields fields(config, "config.json", ConfigFields::Nulls::absent);
  const Family* family = encoder::family_of_config(config);
  if (!family) return fields.unsupported("model_type", "supported are {}", encoder::supported_model_types());
  QUINTET_CHECK(check_class(config, fields));
  QUINTET_CHECK(check_labels(fields));
  QUINTET_TRY(ClassificationHead head, encoder::read_head_json(config, *family));
  QUINTET_TRY(head.has_sigmoid, reads_sigmoid(fields, score_activation));
  return head;
}

Status check_no_ranking_head(const Json& config) {
  const ConfigFields fields(config, "config.json", ConfigFields::Nulls::absent);
  if (!encoder::is_of_class(config, kClassifier)) return {};
  return fields.unsupported(
      "architectures",
      "this class has a head that scores texts; Reranker loads its folder if it has one label, else "
      "TextClassifier");
}

Result<ClassificationHead> read_ranking_head_gguf(const ModelDescription& description) {
  Json metadata;
  QUINTET_TRY(const Family* family, encoder::family_of_gguf_head(description, "reranker", metadata));
  const ConfigFields fields(metadata, "metadata", ConfigFields::Nulls::refused);
  QUINTET_TRY(const Json::Array* labels, fields.list("classifier.output_labels"));
  ClassificationHead head = family->head;
  if (labels && head.labels == 2 && !are_yes_and_no(*labels)) {
    return fields.unsupported("classifier.output_labels", "a reranker of this family has yes and no");
  }
  if (labels && head.labels == 1 && labels->size() != 1) {
    return fields.unsupported("classifier.output_labels", "{}", labels_problem(labels->size()));
  }
  head.pooling = family->gguf_head_pooling;
  return head;
}

}  // namespace quintet
