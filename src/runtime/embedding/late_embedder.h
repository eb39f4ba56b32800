#pragma once
// Late interaction (LateInteraction): a vector of length 1 for each token of a text.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/embedding/token_embedder.h"

namespace quintet {

class LateEmbedder final : public TokenEmbedder {
 public:
  static Result<std::unique_ptr<TokenEmbedder>> create(const Model& model);

  size_t max_length(TextRole role) const override;
  Result<size_t> queue_text(std::string_view utf8, TextRole role, size_t max_length) override;
  // A query is expanded to its length.
  Status queue_ids(std::span<const uint32_t> ids, TextRole role) override;

 private:
  explicit LateEmbedder(const Model& model) : TokenEmbedder(model) {}
  bool compute(size_t sequence, TokenEntries& entries) override;
  Status find_tokens();
  Status find_prefix(std::string_view prefix, std::optional<uint32_t>& id) const;
  Status queue_expanded(std::vector<uint32_t> ids, TextRole role, size_t length);
  const LateInteraction& settings() const { return *model_.sentence.late; }

  std::optional<uint32_t> query_prefix_, document_prefix_;
  uint32_t mask_ = 0;
  std::vector<uint32_t> skipped_;  // tokens of documents without vectors
};

}  // namespace quintet
