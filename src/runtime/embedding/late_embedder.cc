#include "runtime/embedding/late_embedder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/registry.h"
#include "runtime/embedding/pooling.h"

namespace quintet {

Result<std::unique_ptr<TokenEmbedder>> LateEmbedder::create(const Model& model) {
  std::unique_ptr<LateEmbedder> embedder(new LateEmbedder(model));
  QUINTET_CHECK(embedder->find_tokens());
  return embedder;
}

Status LateEmbedder::find_tokens() {
  if (!model_.codec.has_tokenizer()) return {};
  const SpecialIds& special = model_.description.tokenizer.special;
  QUINTET_CHECK(find_prefix(settings().query_prefix, query_prefix_));
  QUINTET_CHECK(find_prefix(settings().document_prefix, document_prefix_));
  // As in PyLate, the end of a text stands for the mask token, which decoders do not have.
  const std::optional<uint32_t>& expansion = special.mask ? special.mask : special.eos;
  if (settings().expands_queries && !expansion) {
    return unsupported_error("queries are expanded with the mask token, but the vocabulary has none");
  }
  if (settings().expands_queries && !settings().attends_to_expansion && model_.config.relative_buckets != 0) {
    return unsupported_error("relative positions with queries whose expansion is not attended to");
  }
  mask_ = expansion.value_or(0);
  // Likewise, a word that is not in the vocabulary stands for the unknown token.
  for (const std::string& word : settings().skipped_words) {
    const auto id = model_.codec.find(word);
    if (id || special.unk) skipped_.push_back(id ? *id : *special.unk);
  }
  return {};
}

Status LateEmbedder::find_prefix(std::string_view prefix, std::optional<uint32_t>& id) const {
  if (prefix.empty()) return {};
  id = model_.codec.find(prefix);
  if (id) return {};
  return unsupported_error("the prefix \"{}\" is not a token of the vocabulary", prefix);
}

size_t LateEmbedder::max_length(TextRole role) const {
  const uint64_t length = role == TextRole::query ? settings().query_length : settings().document_length;
  return length == 0 ? model_.max_length()
                     : static_cast<size_t>(std::min<uint64_t>(length, model_.config.max_tokens()));
}

// The prefix is a token after the first special ones.
Result<size_t> LateEmbedder::queue_text(std::string_view utf8, TextRole role, size_t max_length) {
  QUINTET_TRY(std::vector<uint32_t> ids, model_.codec.encode(utf8, {.add_bos = false, .parse_special = true}));
  const std::optional<uint32_t>& prefix = role == TextRole::query ? query_prefix_ : document_prefix_;
  const FrameSize frame = frame_size(model_.frame);
  const size_t around = frame.around() + (prefix ? 1 : 0);
  const size_t max = max_length == 0 ? this->max_length(role) : max_length;
  QUINTET_CHECK(check_length(max, around));
  const size_t tokens = ids.size() + around;
  ids.resize(std::min(ids.size(), max - around));
  ids = frame_text(model_.frame, ids);
  if (prefix) ids.insert(ids.begin() + static_cast<ptrdiff_t>(frame.ahead), *prefix);
  QUINTET_CHECK(queue_expanded(std::move(ids), role, max));
  return tokens;
}

Status LateEmbedder::queue_ids(std::span<const uint32_t> ids, TextRole role) {
  return queue_expanded({ids.begin(), ids.end()}, role, max_length(role));
}

Status LateEmbedder::queue_expanded(std::vector<uint32_t> ids, TextRole role, size_t length) {
  const bool is_query = role == TextRole::query;
  const size_t own = ids.size();
  if (is_query && settings().expands_queries) ids.resize(std::max(own, length), mask_);
  TokenEntries kept;
  for (uint32_t position = 0; position < ids.size(); ++position) {
    const bool is_skipped = !is_query && std::ranges::find(skipped_, ids[position]) != skipped_.end();
    if (!is_skipped) kept.indices.push_back(position);
  }
  return queue_sequence(ids, settings().attends_to_expansion ? 0 : own, std::move(kept));
}

bool LateEmbedder::compute(size_t sequence, TokenEntries& entries) {
  const size_t hidden = model_.config.hidden_size();
  entries.values.reserve(entries.indices.size() * hidden);
  for (const uint32_t position : entries.indices) {
    const float* const state = queue_.hidden(sequence) + position * hidden;
    entries.values.insert(entries.values.end(), state, state + hidden);
  }
  apply_dense(model_.dense, active_kernels<KernelSet::encoder>(), entries.values, entries.indices.size());
  const size_t width = entries.indices.empty() ? 1 : entries.values.size() / entries.indices.size();
  for (size_t at = 0; at < entries.values.size(); at += width)
    l2_normalize(std::span(entries.values).subspan(at, width));
  return true;
}

}  // namespace quintet
