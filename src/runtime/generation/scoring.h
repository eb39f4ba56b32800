#pragma once
// Scores a text, alone or after another: computes the logits of all its positions, with a separate KV cache.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "models/decoder/kv_cache.h"
#include "runtime/generation/batch.h"

namespace quintet {

class Scoring final : private Batch::Member {
 public:
  // Joins the batch. Ids must be in the vocabulary of its model. `cache` contains what precedes them, if anything.
  Scoring(Batch& batch, decoder::KvCache cache, std::span<const uint32_t> ids, decoder::Adapters adapters);
  ~Scoring() { batch_.leave(*this); }
  Scoring(const Scoring&) = delete;
  Scoring& operator=(const Scoring&) = delete;

  // The number of tokens that are not computed yet. An error is final.
  Result<size_t> left() const;
  bool done() const { return computed() == ids_.size(); }

  // Sum of -ln p of each id given those before it, and their number: one less than the number of ids.
  double sum() const { return sum_; }
  size_t count() const { return ids_.size() - 1; }

  // [positions][vocabulary] for the positions of the last pass; nothing if they were taken before.
  std::vector<float> take_logits() { return std::exchange(logits_, {}); }

 private:
  size_t computed() const { return cache_.length() - begin_; }  // of the ids
  Waiting waiting() override;
  void passed(std::span<const float> logits) override;
  void failed(Failure failure) override { failure_ = std::move(failure); }

  Batch& batch_;
  decoder::KvCache cache_;
  decoder::Adapters adapters_;
  size_t begin_;  // position of the first of the ids
  size_t vocabulary_;
  std::vector<uint32_t> ids_;
  double sum_ = 0;
  std::vector<float> logits_;
  Status failure_;
};

}  // namespace quintet
