#pragma once
// The head of a classifier of texts or of their tokens, which makes a logit for each label of the hidden states. For
// texts this is the head of Devlin et al. 2018 (arXiv:1810.04805, section 3.2): a pooled vector, in most models a
// linear layer with an activation and a norm, and the last linear layer. For tokens it is the last linear layer alone;
// only ModernBERT's also has the others.

#include <cstddef>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "formats/sentence_config.h"

namespace quintet {

struct ClassificationHead {
  Pooling pooling = Pooling::cls;                      // or mean or last
  DenseActivation activation = DenseActivation::tanh;  // of the first linear layer
  bool has_sigmoid = false;                            // a reranker's scores are sigmoid(logit), else logits
  // Of a reranker 1, or 2: "yes" and "no". The probability of "yes", by the softmax of their logits, is then given in
  // place of a logit.
  size_t labels = 1;
  bool is_per_token = false;  // nothing is pooled
  bool has_dense = true;      // the layers before the last one, where the family has them
};

enum class Classified : uint8_t { texts, tokens };

// From config.json, with the names of the labels. UNSUPPORTED for a model without such a head; FORMAT if `id2label` is
// missing, does not name each of its labels, or contradicts `num_labels`.
Result<ClassificationHead> read_label_head_json(const Json& config, Classified classified, LabelSet& labels);
// From the metadata of a GGUF file, which has classifiers of texts. UNSUPPORTED if its pooling is that of an embedder;
// FORMAT without names of labels.
Result<ClassificationHead> read_label_head_gguf(const ModelDescription& description, LabelSet& labels);

namespace encoder {

struct Family;

// The fields of config.json for the head of its family, except the labels.
Result<ClassificationHead> read_head_json(const Json& config, const Family& family);
// The family of a GGUF file that has a head, and its metadata. `reader`: its reader, for messages. UNSUPPORTED
// if the file is an embedder's.
Result<const Family*> family_of_gguf_head(const ModelDescription& description, std::string_view reader, Json& metadata);
// Whether config.json belongs to a class of transformers with a name that ends with this.
bool is_of_class(const Json& config, std::string_view suffix);

}  // namespace encoder

}  // namespace quintet
