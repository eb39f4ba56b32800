#include "runtime/embedding/token_embedder.h"

#include <utility>

#include "runtime/embedding/late_embedder.h"
#include "runtime/embedding/sparse_embedder.h"

namespace quintet {

Result<std::unique_ptr<TokenEmbedder>> TokenEmbedder::create(const Model& model) {
  switch (model.sentence.vectors()) {
    case VectorKind::multi:
      return LateEmbedder::create(model);
    case VectorKind::sparse:
      return std::make_unique<SparseEmbedder>(model);
    case VectorKind::dense:
      break;
  }
  return nullptr;
}

Status TokenEmbedder::check_length(size_t max_length, size_t around) const {
  const size_t max = model_.config.max_tokens();
  if (max_length >= around && max_length <= max) return {};
  return input_error(Reason::out_of_range, "maxLength {}; the model supports {} to {} tokens", max_length, around, max);
}

Status TokenEmbedder::queue_sequence(std::span<const uint32_t> ids, size_t keys, TokenEntries entries) {
  QUINTET_CHECK(queue_.check(ids, {}));
  texts_.push_back(results_.size());
  results_.push_back(std::move(entries));
  queue_.add(ids, {}, keys);
  return {};
}

Status TokenEmbedder::begin() { return queue_.begin(); }

Result<bool> TokenEmbedder::step() {
  return queue_.step([this](size_t sequence) { return compute(sequence, results_[texts_[sequence]]); });
}

std::vector<TokenEntries> TokenEmbedder::take() {
  std::vector<TokenEntries> results = std::move(results_);
  cancel();
  return results;
}

void TokenEmbedder::cancel() {
  queue_.clear();
  results_.clear();
  texts_.clear();
}

}  // namespace quintet
