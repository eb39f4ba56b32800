#pragma once
// Computes the logits of labels, of texts or of their tokens: tokenizer, encoder and head of a classifier behind one
// queue. Texts are queued, then computed together in steps of a few milliseconds, so that the caller can handle events
// in between.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/embedding/text_embedder.h"
#include "runtime/embedding/token_queue.h"

namespace quintet {

class Labeler {
 public:
  using Model = TextEmbedder::Model;  // with a head and its labels

  // A token of a text that was queued by queue_windows().
  struct Token {
    TokenPlace place;
    uint32_t characters;  // of its entry in the vocabulary; 0: the unknown token
  };

  explicit Labeler(std::unique_ptr<const Model> model);

  const Model& model() const { return *model_; }
  const LabelSet& labels() const { return model_->sentence.labels; }
  // Whether tokens have labels, not texts.
  bool is_per_token() const { return model_->config.head->is_per_token; }
  // Default maximum number of tokens, special tokens included.
  size_t max_length() const;
  size_t max_positions() const { return model_->config.max_tokens(); }
  // Whether the vocabulary writes a token that continues a word with "##".
  bool marks_continuations() const { return model_->description.tokenizer.type() == TokenizerType::wordpiece; }
  // Memory of weights and workspace in bytes.
  size_t memory_bytes() const { return model_->weights.bytes() + queue_.workspace_bytes(); }

  // Queues a text, of which the end is cut off to fit into `max_length` tokens. Returns the number of tokens before
  // that. INPUT for a max_length of no more tokens than are around a text, or beyond max_positions(). UNSUPPORTED
  // without a tokenizer, here and below.
  Result<size_t> queue_text(std::string_view utf8, size_t max_length);
  // Queues a pair of texts, of which only the first is cut.
  Result<size_t> queue_pair(std::string_view first, std::string_view second, size_t max_length);
  // Queues a text whose tokens get labels, in windows of at most `max_length` tokens, each with the special tokens
  // around it. Neighboring windows share a quarter of their tokens, and each of these gets its logits from the window
  // in which it is further from the end. Special tokens get none.
  Status queue_windows(std::string_view utf8, size_t max_length);
  // Queues token ids unchanged, with their types, or 0 for all if there are none.
  Status queue_ids(std::span<const uint32_t> ids, std::span<const uint8_t> types);
  size_t queued_tokens() const { return queue_.tokens(); }
  // The tokens of the texts that were queued by queue_windows(), until the queue is emptied.
  std::span<const Token> tokens() const { return tokens_; }

  // Starts the forward pass over the queue.
  Status begin();
  // Computes one more layer for some of the sequences; true when all are complete.
  Result<bool> step();
  // [sequences][labels] of the completed pass, or [tokens][labels]; empties the queue.
  std::vector<float> take_logits();
  // Discards queue and pass.
  void cancel();

 private:
  // The tokens of a sequence that get its logits: all, or those of a window that no other window has further inside.
  struct Rows {
    size_t begin, end;
  };

  Status check_length(size_t max_length, size_t around) const;
  void queue(std::span<const uint32_t> ids, std::span<const uint8_t> types, Rows rows);
  void label(size_t sequence);

  std::unique_ptr<const Model> model_;
  TokenQueue queue_;
  std::vector<Rows> rows_;  // of each sequence
  std::vector<Token> tokens_;
  std::vector<float> logits_;
};

}  // namespace quintet
