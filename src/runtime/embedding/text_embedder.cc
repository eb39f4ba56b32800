#include "runtime/embedding/text_embedder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/thread_pool.h"
#include "kernels/registry.h"

namespace quintet {

void pool(Pooling pooling, const float* tokens, size_t count, std::span<float> out) {
  const size_t dimension = out.size();
  std::copy_n(tokens, dimension, out.begin());
  if (pooling == Pooling::cls) return;
  for (size_t t = 1; t < count; ++t) {
    const float* token = tokens + t * dimension;
    for (size_t i = 0; i < dimension; ++i) {
      out[i] = pooling == Pooling::max ? std::max(out[i], token[i]) : out[i] + token[i];
    }
  }
  if (pooling == Pooling::mean) {
    for (float& value : out) value /= static_cast<float>(count);
  }
}

void l2_normalize(std::span<float> vector) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  if (squares == 0) return;
  const double length = std::sqrt(squares);
  for (float& value : vector) value = static_cast<float>(value / length);
}

TextEmbedder::TextEmbedder(std::unique_ptr<const Model> model)
    : model_(std::move(model)), encoder_(model_->config, model_->weights, active_kernels<KernelSet::encoder>()) {}

size_t TextEmbedder::max_length() const {
  constexpr size_t kDefault = 256;
  return std::min(kDefault, max_positions());
}

size_t TextEmbedder::memory_bytes() const { return model_->weights.bytes() + encoder_.workspace_bytes(); }

std::vector<uint32_t> TextEmbedder::tokenize(std::string_view utf8) const {
  std::vector<uint32_t> ids = {model_->tokenizer.specials().cls};
  model_->tokenizer.encode(utf8, ids);
  ids.push_back(model_->tokenizer.specials().sep);
  return ids;
}

Result<size_t> TextEmbedder::queue_text(std::string_view utf8, size_t max_length, Excess excess) {
  const size_t least = excess == Excess::chunk ? 3 : 2;
  if (max_length < least || max_length > max_positions()) {
    return input_error(Reason::out_of_range, "maxLength " + std::to_string(max_length) + "; the model supports " +
                                                 std::to_string(least) + " to " + std::to_string(max_positions()) +
                                                 " tokens");
  }
  std::vector<uint32_t> ids = tokenize(utf8);
  const size_t tokens = ids.size();
  texts_.push_back({.parts = 0, .weight = tokens - 2});
  if (tokens <= max_length) {
    queue_part(ids);
  } else if (excess == Excess::cut) {
    ids[max_length - 1] = ids.back();
    queue_part(std::span(ids).first(max_length));
  } else {
    queue_parts(ids, max_length);
  }
  return tokens;
}

Status TextEmbedder::queue_ids(std::span<const uint32_t> ids) {
  if (ids.empty() || ids.size() > max_positions()) {
    return input_error(Reason::out_of_range, std::to_string(ids.size()) + " token ids; the model supports 1 to " +
                                                 std::to_string(max_positions()));
  }
  for (const uint32_t id : ids) {
    if (id >= model_->config.vocab_size) {
      return input_error(Reason::out_of_range, "token id " + std::to_string(id) + " in a vocabulary of " +
                                                   std::to_string(model_->config.vocab_size));
    }
  }
  texts_.push_back({.parts = 0, .weight = ids.size()});
  queue_part(ids);
  return {};
}

// Splits [CLS] tokens [SEP] into parts, each with its own [CLS] and [SEP].
void TextEmbedder::queue_parts(std::span<const uint32_t> ids, size_t max_length) {
  std::vector<uint32_t> part;
  std::span<const uint32_t> rest = ids.subspan(1, ids.size() - 2);
  while (!rest.empty()) {
    const auto taken = rest.first(std::min(rest.size(), max_length - 2));
    part.assign(1, ids.front());
    part.insert(part.end(), taken.begin(), taken.end());
    part.push_back(ids.back());
    queue_part(part);
    rest = rest.subspan(taken.size());
  }
}

void TextEmbedder::queue_part(std::span<const uint32_t> ids) {
  parts_.push_back({.text = texts_.size() - 1, .begin = ids_.size(), .length = ids.size()});
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  ++texts_.back().parts;
}

Status TextEmbedder::begin(Pooling pooling, bool normalize) {
  pooling_ = pooling;
  normalize_ = normalize;
  vectors_.assign(texts_.size() * dimension(), 0.0F);
  pooled_.resize(dimension());
  batch_end_ = 0;
  running_ = true;
  return begin_batch();
}

// The next parts, as many as the encoder processes together. More tokens at a time would not be faster: the weights are
// already read from the cache for each block of rows, and each thread has several of these.
Status TextEmbedder::begin_batch() {
  constexpr size_t kBatchTokens = 256, kTokensOfThread = 128;
  const size_t batch_tokens = std::max(kBatchTokens, kTokensOfThread * thread_count());
  batch_begin_ = batch_end_;
  if (batch_begin_ == parts_.size()) return {};
  const size_t first_id = parts_[batch_begin_].begin;
  size_t tokens = 0;
  std::vector<encoder::Sequence> sequences;
  while (batch_end_ < parts_.size()) {
    const Part& part = parts_[batch_end_];
    if (tokens != 0 && tokens + part.length > batch_tokens) break;
    sequences.push_back({.begin = part.begin - first_id, .length = part.length});
    tokens += part.length;
    ++batch_end_;
  }
  return encoder_.begin(std::span(ids_).subspan(first_id, tokens), sequences);
}

Result<bool> TextEmbedder::step() {
  if (!running_) return input_error(Reason::out_of_range, "step() without begin()");
  if (batch_begin_ < batch_end_ && encoder_.step()) {
    pool_batch();
    QUINTET_CHECK(begin_batch());
  }
  return batch_begin_ == batch_end_;
}

void TextEmbedder::pool_batch() {
  for (size_t i = batch_begin_; i < batch_end_; ++i) {
    const size_t first_token = parts_[i].begin - parts_[batch_begin_].begin;
    pool_part(parts_[i], encoder_.hidden() + first_token * dimension());
  }
}

// The vector of a text in one part is that of the part; for a longer text, those of its parts are averaged, weighted by
// length.
void TextEmbedder::pool_part(const Part& part, const float* tokens) {
  const Text& text = texts_[part.text];
  const auto out = std::span(vectors_).subspan(part.text * dimension(), dimension());
  pool(pooling_, tokens, part.length, pooled_);
  if (normalize_) l2_normalize(pooled_);
  if (text.parts == 1) {
    std::copy(pooled_.begin(), pooled_.end(), out.begin());
    return;
  }
  const float share = static_cast<float>(part.length - 2) / static_cast<float>(text.weight);
  for (size_t i = 0; i < out.size(); ++i) out[i] += pooled_[i] * share;
  const bool last = &part == &parts_.back() || (&part)[1].text != part.text;
  if (last && normalize_) l2_normalize(out);
}

std::vector<float> TextEmbedder::take() {
  std::vector<float> vectors = std::move(vectors_);
  cancel();
  return vectors;
}

void TextEmbedder::cancel() {
  ids_.clear();
  parts_.clear();
  texts_.clear();
  vectors_.clear();
  batch_begin_ = batch_end_ = 0;
  running_ = false;
}

}  // namespace quintet
