#include "models/decoder/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/checked.h"

namespace quintet::decoder {
namespace {

// The number of queries that share a pass over the keys: enough to be worth reading the keys, few enough for the scores
// of a long context to stay in the cache.
constexpr size_t kRowsAtOnce = 16;

// Scores grow with every token, so memory for them grows in larger steps.
constexpr uint64_t kScoresStep = 256;

}  // namespace

Attention::Attention(const DecoderConfig& config, const Kernels& kernels)
    : config_(config), softcap_(static_cast<float>(config.attention_softcap)), kernels_(kernels) {
  begin_layer(0);
}

void Attention::begin_layer(size_t layer) {
  group_ = static_cast<size_t>(config_.n_heads / config_.kv_heads_of(layer));
  head_dim_ = static_cast<size_t>(config_.head_dim_of(layer));
  scale_ = config_.attention_scale == 0 ? 1 / std::sqrt(static_cast<float>(head_dim_))
                                        : static_cast<float>(config_.attention_scale);
}

size_t Attention::tokens_at_once() const { return std::max<size_t>(1, kRowsAtOnce / group_); }

Status Attention::reserve(const KvCache::Shape& shape, size_t end) {
  uint64_t rows = 0, seen = 0, head_dim = 0;
  for (size_t layer = 0; layer < shape.layers; ++layer) {
    begin_layer(layer);
    rows = std::max<uint64_t>(rows, tokens_at_once() * group_);
    seen = std::max(seen, seen_below(shape.window_of(layer), end));
    head_dim = std::max<uint64_t>(head_dim, head_dim_);
  }
  QUINTET_CHECK(queries_.reserve(rows * head_dim));
  QUINTET_CHECK(mixed_.reserve(rows * head_dim));
  return scores_.reserve(rows * align_up(seen, kScoresStep));
}

uint64_t Attention::seen_below(size_t window, size_t end) const {
  return window == 0 ? end : std::min(end, window + tokens_at_once());
}

uint64_t Attention::multiply_adds(const KvCache::Shape& shape, size_t layer, size_t end) const {
  return 2 * tokens_at_once() * group_ * seen_below(shape.window_of(layer), end) * head_dim_;
}

void Attention::attend(const KvCache& cache, size_t layer, size_t kv_head, const Tokens& tokens) {
  const KvCache::Shape& shape = cache.shape();
  const size_t rows = tokens.count * group_;
  const size_t begin = shape.first_seen_by(tokens.position, layer);
  const size_t end = tokens.position + tokens.count;
  const Rows scores = {scores_.data(), end - begin}, mixed = {mixed_.data(), head_dim_};

  gather_queries(kv_head, tokens);
  cache.for_each_run(layer, kv_head, begin, end, [&](const KvCache::Run& run) {
    kernels_.qk_scores({.queries = {queries_.data(), head_dim_},
                        .rows = rows,
                        .keys = {.layout = shape.row_of(layer), .data = run.keys, .count = run.count},
                        .alpha = scale_,
                        .scores = scores.from_column(run.begin - begin)});
  });
  masked_softmax(shape, layer, tokens, scores);
  std::fill_n(mixed_.data(), rows * head_dim_, 0.0F);
  cache.for_each_run(layer, kv_head, begin, end, [&](const KvCache::Run& run) {
    kernels_.attention_value({.weights = scores.from_column(run.begin - begin),
                              .rows = rows,
                              .values = {.layout = shape.row_of(layer), .data = run.values, .count = run.count},
                              .out = mixed});
  });
  scatter_mixed(kv_head, tokens);
}

// The softmax runs over exactly the positions that a token sees, so that its sum does not depend on the other tokens.
// All others have weight zero, and adding zeros does not change the result.
void Attention::masked_softmax(const KvCache::Shape& shape, size_t layer, const Tokens& tokens, Rows scores) {
  const size_t begin = shape.first_seen_by(tokens.position, layer);
  for (size_t t = 0; t < tokens.count; ++t) {
    const size_t position = tokens.position + t;
    const size_t seen_begin = shape.first_seen_by(position, layer) - begin;
    const size_t seen_end = position + 1 - begin;
    const Rows of_token = scores.from_row(t * group_);
    for (size_t row = 0; row < group_ && softcap_ != 0; ++row) {
      kernels_.soft_cap(of_token.row(row) + seen_begin, seen_end - seen_begin, softcap_);
    }
    kernels_.softmax_rows({.x = of_token.from_column(seen_begin), .rows = group_, .cols = seen_end - seen_begin});
    for (size_t row = 0; row < group_; ++row) {
      std::fill_n(of_token.row(row), seen_begin, 0.0F);
      std::fill(of_token.row(row) + seen_end, of_token.row(row + 1), 0.0F);
    }
  }
}

void Attention::gather_queries(size_t kv_head, const Tokens& tokens) {
  const size_t values = group_ * head_dim_;
  for (size_t t = 0; t < tokens.count; ++t) {
    std::memcpy(queries_.data() + t * values, tokens.queries.row(t) + kv_head * values, values * sizeof(float));
  }
}

void Attention::scatter_mixed(size_t kv_head, const Tokens& tokens) const {
  const size_t values = group_ * head_dim_;
  for (size_t t = 0; t < tokens.count; ++t) {
    std::memcpy(tokens.context.row(t) + kv_head * values, mixed_.data() + t * values, values * sizeof(float));
  }
}

}  // namespace quintet::decoder
