#pragma once
// Scores how well texts answer a query: tokenizer, encoder and head of a cross-encoder behind one queue. Pairs are
// queued, then computed together in steps of a few milliseconds, so that the caller can handle events in between.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/embedding/text_embedder.h"
#include "runtime/embedding/token_queue.h"
#include "runtime/reranking/rerank_prompt.h"

namespace quintet {

class Reranker {
 public:
  using Model = TextEmbedder::Model;  // with a head

  explicit Reranker(std::unique_ptr<const Model> model);

  const Model& model() const { return *model_; }
  // Default maximum number of tokens per pair, special tokens included.
  size_t max_length() const;
  size_t max_positions() const { return model_->config.max_tokens(); }
  // Memory of weights and workspace in bytes.
  size_t memory_bytes() const { return model_->weights.bytes() + queue_.workspace_bytes(); }

  // The query of all pairs that are queued after it, preceded by the model's default prompt. UNSUPPORTED without a
  // tokenizer.
  Status set_query(std::string_view utf8);
  // Queues the pair of the query and this text. The longer of both is cut to fit into `max_length` tokens
  // (frame_pair()). Returns the number of tokens before that. INPUT for a max_length of fewer tokens than are around a
  // pair, or beyond max_positions().
  Result<size_t> queue_text(std::string_view utf8, size_t max_length);
  // Queues token ids unchanged, with their types, or 0 for all if there are none.
  Status queue_ids(std::span<const uint32_t> ids, std::span<const uint8_t> types);
  size_t queued_tokens() const { return queue_.tokens(); }

  // Starts the forward pass over the queue.
  Status begin();
  // Computes one more layer for some of the pairs; true when all are complete.
  Result<bool> step();
  // The logit of each pair of the completed pass (ClassificationHead::labels); empties the queue.
  std::vector<float> take_logits();
  // The logits after the activation of the model.
  std::vector<float> take_scores();
  // Discards queue and pass.
  void cancel();

 private:
  Result<size_t> queue_prompt(std::string_view utf8, size_t max_length);
  float logit_of(size_t pair);

  std::unique_ptr<const Model> model_;
  TokenQueue queue_;
  std::optional<RerankPrompt> prompt_;
  std::string query_text_;       // after the model's default prompt
  std::vector<uint32_t> query_;  // its ids, of models without `prompt_`
  std::vector<float> logits_;
  std::vector<float> pooled_;
};

}  // namespace quintet
