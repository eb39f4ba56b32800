#include "architectures/encoder/classification_head.h"

#include <algorithm>
#include <string>

#include "architectures/config_fields.h"
#include "architectures/encoder/families.h"

namespace quintet {
namespace {

using encoder::Family;

constexpr std::string_view kOfTexts = "ForSequenceClassification", kOfTokens = "ForTokenClassification";

// The number that a key of `id2label` stands for; `count` if it is not a number below that.
size_t label_index(std::string_view key, size_t count) {
  size_t index = 0;
  if (key.empty() || (key.size() > 1 && key.front() == '0')) return count;
  for (const char digit : key) {
    if (digit < '0' || digit > '9') return count;
    index = index * 10 + static_cast<size_t>(digit - '0');
    if (index >= count) return count;
  }
  return index;
}

Result<std::vector<std::string>> read_names(const ConfigFields& fields) {
  constexpr std::string_view kKey = "id2label";
  const Json* named = fields.find(kKey);
  if (!named) return fields.wrong(Reason::missing, kKey, "is missing: it names the labels of a classifier");
  const Json::Object* object = named->as_object();
  if (!object || object->empty()) {
    return fields.wrong(Reason::malformed, kKey, "expected an object with the name of each label");
  }
  std::vector<std::string> names(object->size());
  std::vector<bool> is_named(object->size());
  for (const auto& [key, name] : *object) {
    const size_t index = label_index(key, names.size());
    if (index == names.size() || !name.as_string()) {
      return fields.wrong(Reason::malformed, kKey, "expected names for 0 to {}, but it has {}", names.size() - 1, key);
    }
    names[index] = *name.as_string();
    is_named[index] = true;
  }
  if (std::ranges::find(is_named, false) != is_named.end()) {
    return fields.wrong(Reason::malformed, kKey, "two names for a label");
  }
  uint64_t count = names.size();
  QUINTET_CHECK(fields.natural("num_labels", 0, UINT32_MAX, count));
  if (count == names.size()) return names;
  return fields.wrong(Reason::mismatch, "num_labels", "id2label names {}", names.size());
}

// Chosen as in transformers' pipeline for text classification (pipelines/text_classification.py).
Result<LabelScores> read_scores(const ConfigFields& fields, size_t labels) {
  std::string type;
  QUINTET_CHECK(fields.text("problem_type", type));
  if (type == "regression") return LabelScores::logits;
  if (type == "multi_label_classification") return LabelScores::sigmoid;
  if (type.empty() || type == "single_label_classification") {
    return labels == 1 ? LabelScores::sigmoid : LabelScores::softmax;
  }
  return fields.unsupported("problem_type",
                            "supported are regression, single_label_classification and multi_label_classification");
}

Status read_modernbert_head(const ConfigFields& fields, ClassificationHead& head) {
  std::string pooling(name_of(head.pooling)), activation = "gelu";
  QUINTET_CHECK(fields.text("classifier_pooling", pooling));
  const auto named = pooling_named(pooling);
  if (named != Pooling::cls && named != Pooling::mean) {
    return fields.unsupported("classifier_pooling", "supported are cls and mean");
  }
  head.pooling = *named;
  QUINTET_CHECK(fields.text("classifier_activation", activation));
  return activation == "gelu" ? Status() : fields.unsupported("classifier_activation", "supported is gelu");
}

}  // namespace

namespace encoder {

Result<ClassificationHead> read_head_json(const Json& config, const Family& family) {
  const ConfigFields fields(config, "config.json", ConfigFields::Nulls::absent);
  ClassificationHead head = family.head;
  if (family.has_head_sizes) {
    head.pooling = Pooling::last;
    head.labels = 1;
  }
  if (family.naming == Naming::modernbert) QUINTET_CHECK(read_modernbert_head(fields, head));
  return head;
}

bool is_of_class(const Json& config, std::string_view suffix) {
  const Json::Array* classes = config.get("architectures").as_array();
  if (!classes || classes->empty()) return false;
  const std::string* name = classes->front().as_string();
  return name && name->ends_with(suffix);
}

}  // namespace encoder

Result<ClassificationHead> read_label_head_json(const Json& config, Classified classified, LabelSet& labels) {
  const ConfigFields fields(config, "config.json", ConfigFields::Nulls::absent);
  const Family* family = encoder::family_of_config(config);
  if (!family) return fields.unsupported("model_type", "supported are {}", encoder::supported_model_types());
  const bool is_per_token = classified == Classified::tokens;
  const std::string_view suffix = is_per_token ? kOfTokens : kOfTexts;
  if (!encoder::is_of_class(config, suffix)) {
    return fields.unsupported("architectures", "expected a class that ends with {}", suffix);
  }
  QUINTET_TRY(ClassificationHead head, encoder::read_head_json(config, *family));
  QUINTET_TRY(labels.names, read_names(fields));
  QUINTET_TRY(labels.scores, read_scores(fields, labels.names.size()));
  if (is_per_token) labels.scores = LabelScores::softmax;
  head.labels = labels.names.size();
  head.is_per_token = is_per_token;
  head.has_dense = !is_per_token || family->naming == encoder::Naming::modernbert;
  return head;
}

Result<const Family*> encoder::family_of_gguf_head(const ModelDescription& description, std::string_view reader,
                                                   Json& metadata) {
  constexpr uint64_t kRank = 4;  // of llama.cpp's enumeration (include/llama.h, llama_pooling_type)
  const Family* family = family_of_gguf(description.architecture);
  if (!family) {
    return unsupported_error("architecture \"{}\"; supported are {}", description.architecture,
                             supported_gguf_architectures());
  }
  metadata = gguf_fields(description.metadata, family->gguf);
  const ConfigFields fields(metadata, "metadata", ConfigFields::Nulls::refused);
  const Json* pooling = fields.find("pooling_type");
  if (pooling && pooling->as_uint() == kRank) return family;
  return fields.unsupported("pooling_type", "{}; that of a {} is 4, an embedder is read by Embedder",
                            (pooling ? write_json(*pooling) : std::string("none")), reader);
}

Result<ClassificationHead> read_label_head_gguf(const ModelDescription& description, LabelSet& labels) {
  Json metadata;
  QUINTET_TRY(const Family* family, encoder::family_of_gguf_head(description, "classifier", metadata));
  const ConfigFields fields(metadata, "metadata", ConfigFields::Nulls::refused);
  constexpr std::string_view kNames = "classifier.output_labels";
  QUINTET_TRY(const Json::Array* names, fields.list(kNames));
  if (!names || names->empty()) return fields.wrong(Reason::missing, kNames, "is missing: it names the labels");
  for (const Json& name : *names) {
    if (!name.as_string()) return fields.wrong(Reason::malformed, kNames, "expected texts");
    labels.names.push_back(*name.as_string());
  }
  labels.scores = names->size() == 1 ? LabelScores::sigmoid : LabelScores::softmax;
  ClassificationHead head = family->head;
  head.labels = names->size();
  head.pooling = family->gguf_head_pooling;
  return head;
}

}  // namespace quintet
