#pragma once
// Embedders that give several values for a text instead of one vector: a vector for each of its tokens (late
// interaction), or a weight for each entry of the vocabulary (sparse vectors). Texts are queued, then computed together
// in steps of a few milliseconds, as by TextEmbedder.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runtime/embedding/text_embedder.h"
#include "runtime/embedding/token_queue.h"

namespace quintet {

// Late interaction: positions of tokens, and their vectors one after another. Sparse: ids of tokens in ascending order,
// and a weight above 0 for each.
struct TokenEntries {
  std::vector<uint32_t> indices;
  std::vector<float> values;
};

class TokenEmbedder {
 public:
  using Model = TextEmbedder::Model;

  // Null for a model that gives one vector for a text. The model must outlive it. UNSUPPORTED for a model whose
  // vocabulary lacks tokens that its settings name.
  static Result<std::unique_ptr<TokenEmbedder>> create(const Model& model);
  virtual ~TokenEmbedder() = default;
  TokenEmbedder(const TokenEmbedder&) = delete;
  TokenEmbedder& operator=(const TokenEmbedder&) = delete;

  // Default maximum number of tokens of a text, special tokens included.
  virtual size_t max_length(TextRole role) const = 0;
  // Queues a text, cut to `max_length` tokens; 0: the default. Returns its number of tokens before that. INPUT for a
  // max_length of fewer tokens than are around a text, or beyond that of the model.
  virtual Result<size_t> queue_text(std::string_view utf8, TextRole role, size_t max_length) = 0;
  // Queues the ids of a text, special tokens included.
  virtual Status queue_ids(std::span<const uint32_t> ids, TextRole role) = 0;
  size_t queued_tokens() const { return queue_.tokens(); }

  // Starts the forward pass over the queue.
  virtual Status begin();
  // Computes one more layer for some of the texts; true when all are complete.
  Result<bool> step();
  // The entries of each queued text of the completed pass; empties the queue.
  std::vector<TokenEntries> take();
  // Discards queue and pass.
  void cancel();
  virtual size_t workspace_bytes() const { return queue_.workspace_bytes(); }

 protected:
  explicit TokenEmbedder(const Model& model) : model_(model), queue_(model.config, model.weights) {}

  // INPUT for a length that no text can have.
  Status check_length(size_t max_length, size_t around) const;
  // Adds a text that the network computes; fails as TokenQueue::check(). `keys`: as Sequence::keys. `entries`: what is
  // known of them.
  Status queue_sequence(std::span<const uint32_t> ids, size_t keys = 0, TokenEntries entries = {});
  // Adds a text with known entries.
  void add_known(TokenEntries entries) { results_.push_back(std::move(entries)); }
  // Computes the entries of a text, or a part of them: true when they are complete.
  virtual bool compute(size_t sequence, TokenEntries& entries) = 0;

  const Model& model_;
  TokenQueue queue_;

 private:
  std::vector<TokenEntries> results_;
  std::vector<size_t> texts_;  // of the sequences of the queue
};

}  // namespace quintet
