#pragma once
// Converts texts to vectors: tokenizer, encoder and pooling behind one queue. Texts are queued, then computed together
// in steps of a few milliseconds, so that the caller can handle events in between.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "architectures/encoder/config.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "models/encoder/encoder.h"
#include "models/encoder/weights.h"
#include "tokenizers/wordpiece.h"

namespace quintet {

enum class Pooling : uint8_t { mean, cls, max };

// out [dimension] = the pooled rows of tokens [count][dimension]; count >= 1. The mean includes all tokens, also [CLS]
// and [SEP], as in sentence-transformers.
void pool(Pooling pooling, const float* tokens, size_t count, std::span<float> out);

// Scales a vector to length 1; a zero vector is unchanged.
void l2_normalize(std::span<float> vector);

class TextEmbedder {
 public:
  struct Model {
    ModelDescription description;  // without the vocabulary, which is in the tokenizer
    EncoderConfig config;
    encoder::Weights weights;
    WordPiece tokenizer;
  };

  explicit TextEmbedder(std::unique_ptr<const Model> model);

  const Model& model() const { return *model_; }
  size_t dimension() const { return model_->config.hidden; }
  // Default maximum number of tokens per text, as in sentence-transformers, including [CLS] and [SEP].
  size_t max_length() const;
  size_t max_positions() const { return model_->config.max_tokens(); }
  // Memory of weights and workspace in bytes.
  size_t memory_bytes() const;

  // [CLS] ids [SEP], without truncation. The text may contain any bytes; ill-formed UTF-8 counts as U+FFFD.
  std::vector<uint32_t> tokenize(std::string_view utf8) const;

  // What to do with a text of more than `max_length` tokens.
  enum class Excess : uint8_t {
    cut,    // its end is cut off
    chunk,  // it is split, and the vectors of the parts are averaged, weighted by length
  };
  // Queues a text. Returns its number of tokens before truncation. INPUT for max_length outside 2..max_positions (3..
  // for chunk).
  Result<size_t> queue_text(std::string_view utf8, size_t max_length, Excess excess);
  // Queues token ids as they are.
  Status queue_ids(std::span<const uint32_t> ids);
  size_t queued_tokens() const { return ids_.size(); }
  size_t queued_texts() const { return texts_.size(); }

  // Starts the forward pass over the queue.
  Status begin(Pooling pooling, bool normalize);
  // Computes one more layer for some of the sequences; true when all are complete.
  Result<bool> step();
  // [queued_texts][dimension] of the completed pass; empties the queue.
  std::vector<float> take();
  // Discards queue and pass.
  void cancel();

 private:
  // One sequence of the encoder's input: a text, or a part of a long one.
  struct Part {
    size_t text;
    size_t begin;  // in ids_
    size_t length;
  };
  struct Text {
    size_t parts;
    size_t weight;  // number of tokens of all parts, without [CLS] and [SEP]
  };

  void queue_parts(std::span<const uint32_t> ids, size_t max_length);
  void queue_part(std::span<const uint32_t> ids);
  Status begin_batch();
  void pool_batch();
  void pool_part(const Part& part, const float* tokens);

  std::unique_ptr<const Model> model_;
  encoder::Encoder encoder_;

  std::vector<uint32_t> ids_;
  std::vector<Part> parts_;
  std::vector<Text> texts_;

  Pooling pooling_ = Pooling::mean;
  bool normalize_ = true;
  bool running_ = false;
  size_t batch_begin_ = 0;  // parts that the encoder is processing: [batch_begin_, batch_end_)
  size_t batch_end_ = 0;
  std::vector<float> vectors_;  // [texts][dimension]
  std::vector<float> pooled_;   // [dimension], of one part
};

}  // namespace quintet
