#pragma once
// The head of a reranker, which makes one number of the hidden states of a pair of texts: its logit. This is the head
// of a classifier with one label.

#include <string_view>

#include "architectures/encoder/classification_head.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// From config.json. UNSUPPORTED for a model without a head, with several labels, or with another activation of scores.
// `score_activation`: that of config_sentence_transformers.json, which counts before config.json's; empty: none.
Result<ClassificationHead> read_ranking_head_json(const Json& config, std::string_view score_activation);
// UNSUPPORTED for the config.json of a model with such a head, which is none of an embedder.
Status check_no_ranking_head(const Json& config);
// From the metadata of a GGUF file. UNSUPPORTED if its pooling is not that of a reranker. Scores are logits, since the
// format has no place for what follows them.
Result<ClassificationHead> read_ranking_head_gguf(const ModelDescription& description);

}  // namespace quintet
