#pragma once
// Sequences of tokens that wait for the encoder, which processes some of them together in steps of a few milliseconds.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "architectures/encoder/config.h"
#include "base/function_ref.h"
#include "base/result.h"
#include "models/encoder/encoder.h"
#include "models/encoder/weights.h"

namespace quintet {

class TokenQueue {
 public:
  TokenQueue(const EncoderConfig& config, const encoder::Weights& weights);

  // INPUT for no ids, too many, or one outside the vocabulary. `types`: as in Encoder::begin().
  Status check(std::span<const uint32_t> ids, std::span<const uint8_t> types) const;
  // Appends a sequence that would pass check(). `keys`: as Sequence::keys.
  void add(std::span<const uint32_t> ids, std::span<const uint8_t> types, size_t keys = 0);
  size_t tokens() const { return ids_.size(); }
  size_t sequences() const { return sequences_.size(); }
  size_t length(size_t sequence) const { return sequences_[sequence].length; }

  // Starts the forward pass over the queue.
  Status begin();
  // Computes one more layer for some of the sequences, and passes the numbers of those that it completes to `take`;
  // true when all are complete. `take` returns whether it is done with the sequence, else it gets it again in the next
  // step.
  Result<bool> step(FunctionRef<bool(size_t sequence)> take);
  // [length][hidden] of a sequence that `take` was called for, during the call.
  const float* hidden(size_t sequence) const;
  void clear();

  size_t workspace_bytes() const { return encoder_.workspace_bytes(); }

 private:
  // Sequences [begin, end).
  struct Range {
    size_t begin = 0, end = 0;
  };

  Status begin_batch();
  bool is_done() const { return computed_.begin == sequences_.size(); }

  const EncoderConfig& config_;
  encoder::Encoder encoder_;
  std::vector<uint32_t> ids_;
  std::vector<uint8_t> types_;
  std::vector<encoder::Sequence> sequences_;
  bool running_ = false;
  Range computed_;  // by the encoder, or being computed
  bool is_computed_ = false;
  size_t next_ = 0;  // of these, the next one to be computed
};

}  // namespace quintet
