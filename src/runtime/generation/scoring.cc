#include "runtime/generation/scoring.h"

#include <algorithm>

#include "runtime/generation/logits.h"

namespace quintet {
namespace {

using decoder::Decoder;

// Number of tokens per pass: their logits are in memory at the same time, which is a lot for a large vocabulary.
size_t pass_tokens(size_t vocabulary) {
  constexpr size_t kMaxLogits = size_t{1} << 21;  // 8 MB
  return std::clamp(kMaxLogits / vocabulary, size_t{1}, Decoder::kMaxTokens);
}

}  // namespace

Scoring::Scoring(Batch& batch, decoder::KvCache cache, std::span<const uint32_t> ids, decoder::Adapters adapters)
    : batch_(batch),
      cache_(std::move(cache)),
      adapters_(std::move(adapters)),
      begin_(cache_.length()),
      vocabulary_(static_cast<size_t>(batch.model()->config.n_vocab)),
      ids_(ids.begin(), ids.end()) {
  batch_.join(*this);
}

Result<size_t> Scoring::left() const {
  QUINTET_CHECK(Status(failure_));
  return ids_.size() - computed();
}

Batch::Member::Waiting Scoring::waiting() {
  return {.cache = &cache_,
          .ids = std::span(ids_).subspan(computed()),
          .max_tokens = pass_tokens(vocabulary_),
          .wants_all = true,
          .adapters = &adapters_};
}

void Scoring::passed(std::span<const float> logits) {
  logits_.assign(logits.begin(), logits.end());
  const size_t count = logits.size() / vocabulary_;
  const size_t first = computed() - count;
  for (size_t i = 0; i < count && first + i + 1 < ids_.size(); ++i) {
    const auto row = logits.subspan(i * vocabulary_, vocabulary_);
    sum_ += log_sum_exp(row) - double{row[ids_[first + i + 1]]};
  }
  if (done()) batch_.leave(*this);
}

}  // namespace quintet
