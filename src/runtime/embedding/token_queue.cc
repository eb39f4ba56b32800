#include "runtime/embedding/token_queue.h"

#include <algorithm>
#include <string>

#include "base/thread_pool.h"
#include "kernels/registry.h"

namespace quintet {

TokenQueue::TokenQueue(const EncoderConfig& config, const encoder::Weights& weights)
    : config_(config), encoder_(config, weights, active_kernels<KernelSet::encoder>()) {}

Status TokenQueue::check(std::span<const uint32_t> ids, std::span<const uint8_t> types) const {
  if (!ids.empty() && ids.size() <= config_.max_tokens()) return encoder_.check(ids, types);
  return input_error(Reason::out_of_range, "{} token ids; the model supports 1 to {}", ids.size(),
                     config_.max_tokens());
}

void TokenQueue::add(std::span<const uint32_t> ids, std::span<const uint8_t> types, size_t keys) {
  sequences_.push_back({.begin = ids_.size(), .length = ids.size(), .keys = keys});
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  types_.insert(types_.end(), types.begin(), types.end());
  types_.resize(ids_.size(), 0);
}

Status TokenQueue::begin() {
  computed_ = {};
  next_ = 0;
  running_ = true;
  return begin_batch();
}

// The next sequences, up to the number that the encoder processes together. More tokens at a time would not be faster:
// the weights are already read from the cache for each block of rows, and each thread has several of these.
Status TokenQueue::begin_batch() {
  constexpr size_t kBatchTokens = 256, kTokensOfThread = 128;
  const size_t batch_tokens = std::max(kBatchTokens, kTokensOfThread * thread_count());
  next_ = computed_.begin = computed_.end;
  is_computed_ = false;
  if (is_done()) return {};
  const size_t first_id = sequences_[computed_.begin].begin;
  size_t tokens = 0;
  std::vector<encoder::Sequence> batch;
  while (computed_.end < sequences_.size()) {
    const encoder::Sequence& sequence = sequences_[computed_.end];
    if (tokens != 0 && tokens + sequence.length > batch_tokens) break;
    batch.push_back({.begin = sequence.begin - first_id, .length = sequence.length, .keys = sequence.keys});
    tokens += sequence.length;
    ++computed_.end;
  }
  return encoder_.begin(std::span(ids_).subspan(first_id, tokens), batch, std::span(types_).subspan(first_id, tokens));
}

const float* TokenQueue::hidden(size_t sequence) const {
  const size_t first_token = sequences_[sequence].begin - sequences_[computed_.begin].begin;
  return encoder_.hidden() + first_token * config_.hidden_size();
}

Result<bool> TokenQueue::step(FunctionRef<bool(size_t)> take) {
  if (!running_) return input_error(Reason::out_of_range, "step() without begin()");
  if (is_done()) return true;
  is_computed_ = is_computed_ || encoder_.step();
  if (!is_computed_) return false;
  for (; next_ < computed_.end; ++next_) {
    if (!take(next_)) return false;
  }
  QUINTET_CHECK(begin_batch());
  return is_done();
}

void TokenQueue::clear() {
  ids_.clear();
  types_.clear();
  sequences_.clear();
  computed_ = {};
  is_computed_ = false;
  next_ = 0;
  running_ = false;
}

}  // namespace quintet
