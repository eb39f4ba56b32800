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
#include "formats/sentence_config.h"
#include "models/encoder/weights.h"
#include "runtime/embedding/dense.h"
#include "runtime/embedding/token_queue.h"
#include "runtime/tokenize/text_codec.h"
#include "runtime/tokenize/text_frame.h"

namespace quintet {

class TextEmbedder {
 public:
  struct Model {
    ModelDescription description;  // without the vocabulary, which is in the tokenizer
    EncoderConfig config;
    encoder::Weights weights;
    SentenceConfig sentence;
    std::vector<Dense> dense;            // those of `sentence`
    AlignedBuffer<float> query_weights;  // [n_vocab]: of tokens in queries, in place of a network
    TextCodec codec;
    TextFrame frame;  // special tokens around a text
    // Static embeddings leave this token out, and read this many characters of a text for each token it may have (0:
    // all).
    std::optional<uint32_t> dropped_token = {};
    size_t token_characters = 0;

    // Default maximum number of tokens per text, special tokens included.
    size_t max_length() const;
  };
  // The pooling of the texts in a pass.
  struct Output {
    Pooling pooling = Pooling::mean;
    bool normalize = true;
    size_t dimensions = 0;  // how many of the first elements are kept; 0: all
  };

  explicit TextEmbedder(std::unique_ptr<const Model> model);

  const Model& model() const { return *model_; }
  // The number of elements of the vectors that the model gives, whichever kind they are.
  size_t dimension() const;
  // As in the model's files, else the usual one.
  Output default_output() const;
  size_t max_length() const { return model_->max_length(); }
  size_t max_positions() const { return model_->config.max_tokens(); }
  // Memory of weights and workspace in bytes.
  size_t memory_bytes() const;

  // The ids of a text with the special tokens around it, without truncation. The text may contain any bytes; ill-formed
  // UTF-8 counts as U+FFFD. UNSUPPORTED without a tokenizer.
  Result<std::vector<uint32_t>> tokenize(std::string_view utf8) const;

  // The treatment of a text of more than `max_length` tokens.
  enum class Excess : uint8_t {
    cut,    // its end is cut off
    chunk,  // it is split, and the vectors of the parts, each with the prompt, are averaged, weighted by length without
            // it
  };
  // Queues a text, of which the first `prompt_bytes` are a prompt. Returns its number of tokens before truncation.
  // INPUT for a max_length of fewer tokens than are around a text (and one more for chunk), or beyond max_positions(),
  // and for a text that is cut or split if the prompt leaves no room for a token of it.
  Result<size_t> queue_text(std::string_view utf8, size_t prompt_bytes, size_t max_length, Excess excess);
  // Queues token ids unchanged.
  Status queue_ids(std::span<const uint32_t> ids);
  size_t queued_tokens() const { return queue_.tokens(); }
  size_t queued_texts() const { return texts_.size(); }

  // Starts the forward pass over the queue. UNSUPPORTED for a model that gives other vectors.
  Status begin(const Output& output);
  // Computes one more layer for some of the sequences; true when all are complete.
  Result<bool> step();
  // [queued_texts][dimension or Output::dimensions] of the completed pass; empties the queue.
  std::vector<float> take();
  // Discards queue and pass.
  void cancel();

 private:
  // One sequence of the encoder's input: a text, or a part of a long one.
  struct Part {
    size_t text;
    size_t skipped;  // of its first tokens, which are not pooled
  };
  struct Text {
    size_t parts;
    size_t around;  // number of tokens of each part that are the prompt or special
    size_t weight;  // number of the other tokens of all parts
  };
  // The part of a text's tokens that is not the text itself.
  struct Prompt {
    size_t tokens;   // its first ones: the special tokens ahead, and those of the prompt
    size_t skipped;  // how many of the first are not pooled
  };

  Status check_length(size_t max_length, size_t min, std::string_view condition = {}) const;
  Result<std::vector<uint32_t>> encode(std::string_view utf8) const;
  Result<Prompt> find_prompt(std::string_view prompt, std::span<const uint32_t> ids) const;
  bool is_static() const { return model_->config.n_layers == 0; }
  std::string_view characters_read(std::string_view utf8, size_t max_length) const;
  void queue_parts(std::span<const uint32_t> ids, size_t max_length, const Prompt& prompt);
  void queue_part(std::span<const uint32_t> ids, size_t skipped);
  void pool_part(size_t number);

  std::unique_ptr<const Model> model_;
  TokenQueue queue_;
  std::vector<Part> parts_;  // the sequences of the queue
  std::vector<Text> texts_;

  FrameSize frame_;
  Output output_;
  std::vector<float> vectors_;  // [texts][width of the output]
  std::vector<float> pooled_;   // of one part
};

}  // namespace quintet
