#pragma once
// The head of a reranker, which makes one number of the hidden states of a pair of texts: its logit. This is the head
// for classification of Devlin et al. 2018 (arXiv:1810.04805, section 3.2) with one class: a pooled vector, and in most
// models a linear layer with an activation and a norm before the last linear layer.

#include <cstddef>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "formats/sentence_config.h"

namespace quintet {

struct RankingHead {
  Pooling pooling = Pooling::cls;                      // or mean or last
  DenseActivation activation = DenseActivation::tanh;  // of the first linear layer
  bool has_sigmoid = false;                            // scores are sigmoid(logit), else logits
  // 2: "yes" and "no". The probability of "yes", by the softmax of their logits, is then given in place of a logit.
  size_t labels = 1;
};

// From config.json. UNSUPPORTED for a model without a head, with several labels, or with another activation of scores.
// `score_activation`: that of config_sentence_transformers.json, which counts before config.json's; empty: none.
Result<RankingHead> read_ranking_head_json(const Json& config, std::string_view score_activation);
// UNSUPPORTED for the config.json of a model with such a head, which is none of an embedder.
Status check_no_ranking_head(const Json& config);
// From the metadata of a GGUF file. UNSUPPORTED if its pooling is not that of a reranker. Scores are logits, since the
// format has no place for what follows them.
Result<RankingHead> read_ranking_head_gguf(const ModelDescription& description);

}  // namespace quintet
