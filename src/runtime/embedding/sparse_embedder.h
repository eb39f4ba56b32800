#pragma once
// Sparse vectors: a weight for each entry of the vocabulary, most of them 0 (SpladePooling). A query may also use the
// known weights of its tokens (Geng et al. 2024, arXiv:2411.04403).

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "models/encoder/mlm_head.h"
#include "runtime/embedding/token_embedder.h"

namespace quintet {

class SparseEmbedder final : public TokenEmbedder {
 public:
  explicit SparseEmbedder(const Model& model);

  size_t max_length(TextRole role) const override;
  Result<size_t> queue_text(std::string_view utf8, TextRole role, size_t max_length) override;
  Status queue_ids(std::span<const uint32_t> ids, TextRole role) override;
  Status begin() override;
  size_t workspace_bytes() const override { return TokenEmbedder::workspace_bytes() + head_.bytes(); }

 private:
  bool compute(size_t sequence, TokenEntries& entries) override;
  void pool(Rows logits, size_t count);
  TokenEntries known_weights(std::span<const uint32_t> ids) const;
  bool has_known_weights(TextRole role) const {
    return role == TextRole::query && model_.sentence.query_weights.has_value();
  }

  encoder::MlmHead head_;
  size_t computed_ = 0;        // tokens of the sequence whose logits were pooled
  std::vector<float> pooled_;  // [n_vocab]: of these tokens
};

}  // namespace quintet
