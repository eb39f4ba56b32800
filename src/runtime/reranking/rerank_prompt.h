#pragma once
// The prompt of rerankers that are language models (Qwen3-Reranker, Zhang et al. 2025, arXiv:2506.05176): a question
// whether a text answers a query, whose answer is yes or no.

#include <optional>
#include <string>
#include <string_view>

#include "formats/model_description.h"

namespace quintet {

struct RerankPrompt {
  // Around the texts, with special tokens.
  std::string ahead, behind;
  // The part with the texts, in which nothing is a special token.
  std::string content(std::string_view query, std::string_view document) const;

  std::string before_query, before_document, after_document;
};

// The template "rerank" of the file or, if it has none, that of the family. Nothing for models that score pairs of
// texts.
std::optional<RerankPrompt> prompt_of(const ModelDescription& description);

}  // namespace quintet
