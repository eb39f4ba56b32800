#include "runtime/generation/scoring.h"

#include <algorithm>

#include "runtime/generation/logits.h"

namespace quintet {
namespace {

using decoder::Decoder;

// Number of tokens per pass: their logits are in memory at the same time, which is much for a large vocabulary.
size_t pass_tokens(size_t vocabulary) {
  constexpr size_t kMaxLogits = size_t{1} << 21;  // 8 MB
  return std::clamp(kMaxLogits / vocabulary, size_t{1}, Decoder::kMaxTokens);
}

}  // namespace

Scoring::Scoring(Decoder& decoder, decoder::KvCache cache, size_t vocabulary, std::span<const uint32_t> ids)
    : decoder_(decoder),
      cache_(std::move(cache)),
      begin_(cache_.length()),
      vocabulary_(vocabulary),
      ids_(ids.begin(), ids.end()) {}

Result<size_t> Scoring::step() {
  logits_ = {};
  if (done()) return size_t{0};
  if (computing_ == 0) QUINTET_CHECK(begin_pass());
  QUINTET_TRY(const bool complete, decoder_.step());
  if (complete) end_pass();
  return ids_.size() - computed();
}

Status Scoring::begin_pass() {
  const size_t done = computed();
  const size_t count = std::min(ids_.size() - done, pass_tokens(vocabulary_));
  QUINTET_CHECK(decoder_.begin(cache_, std::span(ids_).subspan(done, count), decoder::LogitsOf::all));
  computing_ = count;
  return {};
}

void Scoring::end_pass() {
  logits_ = decoder_.logits();
  const size_t first = computed() - computing_;
  for (size_t i = 0; i < computing_ && first + i + 1 < ids_.size(); ++i) {
    const auto row = logits_.subspan(i * vocabulary_, vocabulary_);
    sum_ += log_sum_exp(row) - double{row[ids_[first + i + 1]]};
  }
  computing_ = 0;
}

}  // namespace quintet
