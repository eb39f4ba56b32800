#include "runtime/embedding/sparse_embedder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/registry.h"

namespace quintet {
namespace {

// 0 for a logit below it.
float weight_of(float logit, const SpladePooling& pooling) {
  const float weight = std::log1p(std::max(logit, 0.0F));
  return pooling.has_second_log ? std::log1p(weight) : weight;
}

}  // namespace

SparseEmbedder::SparseEmbedder(const Model& model)
    : TokenEmbedder(model), head_(model.config, model.weights, active_kernels<KernelSet::encoder>()) {}

// Without a network there is no limit.
size_t SparseEmbedder::max_length(TextRole role) const {
  return has_known_weights(role) ? SIZE_MAX : model_.max_length();
}

Result<size_t> SparseEmbedder::queue_text(std::string_view utf8, TextRole role, size_t max_length) {
  QUINTET_TRY(std::vector<uint32_t> ids, model_.codec.encode(utf8, {.add_bos = false, .parse_special = true}));
  if (has_known_weights(role)) {
    QUINTET_CHECK(queue_ids(ids, role));
    return ids.size();
  }
  const FrameSize frame = frame_size(model_.frame);
  const size_t max = max_length == 0 ? this->max_length(role) : max_length;
  QUINTET_CHECK(check_length(max, frame.around()));
  const size_t tokens = ids.size() + frame.around();
  ids.resize(std::min(ids.size(), max - frame.around()));
  QUINTET_CHECK(queue_sequence(frame_text(model_.frame, ids)));
  return tokens;
}

Status SparseEmbedder::queue_ids(std::span<const uint32_t> ids, TextRole role) {
  if (!has_known_weights(role)) return queue_sequence(ids);
  for (const uint32_t id : ids) {
    if (id < model_.config.n_vocab) continue;
    return input_error(Reason::out_of_range, "token id {} in a vocabulary of {}", id, model_.config.n_vocab);
  }
  add_known(known_weights(ids));
  return {};
}

// Each token counts once.
TokenEntries SparseEmbedder::known_weights(std::span<const uint32_t> ids) const {
  std::vector<uint8_t> is_there(static_cast<size_t>(model_.config.n_vocab));
  for (const uint32_t id : ids) is_there[id] = 1;
  TokenEntries entries;
  for (uint32_t id = 0; id < is_there.size(); ++id) {
    const float weight = model_.query_weights.data()[id];
    if (is_there[id] == 0 || !(weight > 0)) continue;
    entries.indices.push_back(id);
    entries.values.push_back(weight);
  }
  return entries;
}

Status SparseEmbedder::begin() {
  computed_ = 0;
  if (queue_.sequences() != 0) QUINTET_CHECK(head_.reserve());
  return TokenEmbedder::begin();
}

bool SparseEmbedder::compute(size_t sequence, TokenEntries& entries) {
  const size_t length = queue_.length(sequence);
  const size_t count = std::min(head_.rows(), length - computed_);
  if (computed_ == 0) pooled_.assign(static_cast<size_t>(model_.config.n_vocab), 0.0F);
  pool(head_.logits(queue_.hidden(sequence) + computed_ * model_.config.hidden_size(), count), count);
  computed_ += count;
  if (computed_ < length) return false;
  computed_ = 0;
  const SpladePooling& pooling = *model_.sentence.splade;
  for (uint32_t id = 0; id < pooled_.size(); ++id) {
    if (!(pooled_[id] > 0)) continue;
    entries.indices.push_back(id);
    entries.values.push_back(pooling.has_sum ? pooled_[id] : weight_of(pooled_[id], pooling));
  }
  return true;
}

// The logarithms are monotonic, so a maximum needs them once.
void SparseEmbedder::pool(Rows logits, size_t count) {
  const SpladePooling& pooling = *model_.sentence.splade;
  for (size_t row = 0; row < count; ++row) {
    const float* const x = logits.row(row);
    for (size_t i = 0; i < pooled_.size(); ++i) {
      if (!pooling.has_sum) {
        pooled_[i] = std::max(pooled_[i], x[i]);
      } else if (x[i] > 0) {
        pooled_[i] += weight_of(x[i], pooling);
      }
    }
  }
}

}  // namespace quintet
