#pragma once
// How probable a model finds a text, alone or after another: the logits of all its positions, in a KV cache of its own.

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "models/decoder/decoder.h"

namespace quintet {

class Scoring {
 public:
  // Computes with `decoder`, which is used by nothing else until done. Ids are below `vocabulary`. `cache` holds what
  // comes before them, if anything does.
  Scoring(decoder::Decoder& decoder, decoder::KvCache cache, size_t vocabulary, std::span<const uint32_t> ids);

  // Computes for a few milliseconds and gives the number of tokens that are left. An error is final.
  Result<size_t> step();
  bool done() const { return computed() == ids_.size(); }

  // Sum of -ln p of each id after those before it, and their number: one less than there are ids.
  double sum() const { return sum_; }
  size_t count() const { return ids_.size() - 1; }

  // [positions][vocabulary] of the positions that the last step() completed: none, or some. Valid until the next one.
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
  size_t computing_ = 0;  // tokens of the pass that has begun
  double sum_ = 0;
  std::span<const float> logits_;
};

}  // namespace quintet
