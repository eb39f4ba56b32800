#pragma once
// Scores a text, alone or after another: computes the logits of all its positions, with a separate KV cache.

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "models/decoder/decoder.h"

namespace quintet {

class Scoring {
 public:
  // Computes with `decoder`, which must not be used otherwise until done. Ids must be below `vocabulary`. `cache`
  // contains what precedes them, if anything.
  Scoring(decoder::Decoder& decoder, decoder::KvCache cache, size_t vocabulary, std::span<const uint32_t> ids);

  // Computes for a few milliseconds and returns the number of tokens that are left. An error is final.
  Result<size_t> step();
  bool done() const { return computed() == ids_.size(); }

  // Sum of -ln p of each id given those before it, and their number: one less than the number of ids.
  double sum() const { return sum_; }
  size_t count() const { return ids_.size() - 1; }

  // [positions][vocabulary] for the positions that the last step() completed, possibly none. Valid until the next step.
  std::span<const float> logits() const { return logits_; }

 private:
  size_t computed() const { return cache_.length() - begin_; }  // of the ids
  Status begin_pass();
  void end_pass();

  decoder::Decoder& decoder_;
  decoder::KvCache cache_;
  size_t begin_;  // position of the first of the ids
  size_t vocabulary_;
  std::vector<uint32_t> ids_;
  size_t computing_ = 0;  // tokens of the current pass
  double sum_ = 0;
  std::span<const float> logits_;
};

}  // namespace quintet
