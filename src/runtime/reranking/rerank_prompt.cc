#include "runtime/reranking/rerank_prompt.h"

#include "base/json.h"

namespace quintet {
namespace {

constexpr std::string_view kQwen3 = "qwen3";
constexpr std::string_view kTemplateKey = "tokenizer.chat_template.rerank";
constexpr std::string_view kQuery = "{query}", kDocument = "{document}";

// The prompt of Qwen3-Reranker's model card, with its default instruction.
constexpr std::string_view kQwen3Template =
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct "
    "provided. "
    "Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n<|im_start|>user\n<Instruct>: Given a web search "
    "query, retrieve relevant passages that answer the query\n<Query>: {query}\n<Document>: {document}<|im_end|>\n"
    "<|im_start|>assistant\n<think>\n\n</think>\n\n";

// Special tokens are written as <|name|>: those ahead end with the last "|>" before the texts, those behind begin with
// the first "<|" after them.
std::optional<RerankPrompt> parse(std::string_view text) {
  const size_t query = text.find(kQuery), document = text.find(kDocument);
  if (query == text.npos || document == text.npos || document < query) return std::nullopt;
  const std::string_view before = text.substr(0, query), after = text.substr(document + kDocument.size());
  const size_t special_end = before.rfind("|>"), special_begin = after.find("<|");
  const size_t ahead = special_end == before.npos ? 0 : special_end + 2;
  const size_t behind = special_begin == after.npos ? after.size() : special_begin;
  const size_t between = query + kQuery.size();
  return RerankPrompt{.ahead = std::string(before.substr(0, ahead)),
                      .behind = std::string(after.substr(behind)),
                      .before_query = std::string(before.substr(ahead)),
                      .before_document = std::string(text.substr(between, document - between)),
                      .after_document = std::string(after.substr(0, behind))};
}

}  // namespace

std::string RerankPrompt::content(std::string_view query, std::string_view document) const {
  std::string text = before_query;
  return text.append(query).append(before_document).append(document).append(after_document);
}

std::optional<RerankPrompt> prompt_of(const ModelDescription& description) {
  if (description.architecture != kQwen3) return std::nullopt;
  const std::string* own = description.metadata.get(kTemplateKey).as_string();
  auto prompt = own ? parse(*own) : std::nullopt;
  return prompt ? prompt : parse(kQwen3Template);
}

}  // namespace quintet
