#include "models/decoder/attention.h"

#include <algorithm>
#include <cstring>

#include "base/checked.h"

namespace quintet::decoder {
namespace {

// The number of queries that share a pass over the keys: enough to be worth reading the keys, few enough for the scores
// of a long context to stay in the cache.
constexpr size_t kRowsAtOnce = 16;

// Scores grow with every token, so memory for them grows in larger steps.
constexpr uint64_t kScoresStep = 256;

// An upper bound on the positions that tokens_at_once() tokens below `end` see together.
uint64_t seen_below(const KvCache::Shape& shape, const Heads& heads, size_t end) {
  const size_t window = shape.window_of(heads.layer);
  return window == 0 ? end : std::min(end, window + Attention::tokens_at_once(heads));
}

}  // namespace

Attention::Attention(const DecoderConfig& config, const Kernels& kernels) : config_(config), kernels_(kernels) {}

size_t Attention::tokens_at_once(const Heads& heads) { return std::max<size_t>(1, kRowsAtOnce / heads.group()); }

uint64_t Attention::multiply_adds(const KvCache::Shape& shape, const Heads& heads, size_t end) {
  return 2 * tokens_at_once(heads) * heads.group() * seen_below(shape, heads, end) * heads.dim;
}

Attention::BufferSizes::BufferSizes(const DecoderConfig& config, const KvCache::Shape& shape, size_t end) {
  uint64_t rows = 0, seen = 0, dim = 0;
  for (size_t layer = 0; layer < shape.layers; ++layer) {
    const Heads heads(config, layer);
    rows = std::max<uint64_t>(rows, tokens_at_once(heads) * heads.group());
    seen = std::max(seen, seen_below(shape, heads, end));
    dim = std::max<uint64_t>(dim, heads.dim);
  }
  queries = rows * dim;
  scores = rows * align_up(seen, kScoresStep);
}

Status Attention::reserve(const KvCache::Shape& shape, size_t end) {
  const BufferSizes needed(config_, shape, end);
  QUINTET_CHECK(queries_.reserve(needed.queries));
  QUINTET_CHECK(mixed_.reserve(needed.queries));
  return scores_.reserve(needed.scores);
}

void Attention::attend(const KvCache& cache, const Heads& heads, size_t kv_head, const Tokens& tokens) {
  const KvCache::Shape& shape = cache.shape();
  const size_t rows = tokens.count * heads.group();
  const size_t begin = shape.first_seen_by(tokens.position, heads.layer);
  const size_t end = tokens.position + tokens.count;
  const Rows scores = {scores_.data(), end - begin}, mixed = {mixed_.data(), heads.dim};

  gather_queries(heads, kv_head, tokens);
  cache.for_each_run(heads.layer, kv_head, begin, end, [&](const KvCache::Run& run) {
    kernels_.qk_scores(
        {.queries = {queries_.data(), heads.dim},
         .rows = rows,
         .keys = {.layout = shape.row_of(heads.layer, KvCache::Part::key), .data = run.keys, .count = run.count},
         .alpha = heads.scale,
         .scores = scores.from_column(run.begin - begin)});
  });
  masked_softmax(shape, heads, tokens, scores);
  std::fill_n(mixed_.data(), rows * heads.dim, 0.0F);
  cache.for_each_run(heads.layer, kv_head, begin, end, [&](const KvCache::Run& run) {
    kernels_.attention_value(
        {.weights = scores.from_column(run.begin - begin),
         .rows = rows,
         .values = {.layout = shape.row_of(heads.layer, KvCache::Part::value), .data = run.values, .count = run.count},
         .out = mixed});
  });
  scatter_mixed(heads, kv_head, tokens);
}

// The softmax runs over exactly the positions that a token sees, so that its sum does not depend on the other tokens.
// All others have weight zero, and adding zeros does not change the result.
void Attention::masked_softmax(const KvCache::Shape& shape, const Heads& heads, const Tokens& tokens, Rows scores) {
  const auto softcap = static_cast<float>(config_.attention_softcap);
  const size_t begin = shape.first_seen_by(tokens.position, heads.layer);
  for (size_t t = 0; t < tokens.count; ++t) {
    const size_t position = tokens.position + t;
    const size_t seen_begin = shape.first_seen_by(position, heads.layer) - begin;
    const size_t seen_end = position + 1 - begin;
    const Rows of_token = scores.from_row(t * heads.group());
    for (size_t row = 0; row < heads.group() && softcap != 0; ++row) {
      kernels_.soft_cap(of_token.row(row) + seen_begin, seen_end - seen_begin, softcap);
    }
    kernels_.softmax_rows(
        {.x = of_token.from_column(seen_begin), .rows = heads.group(), .cols = seen_end - seen_begin});
    for (size_t row = 0; row < heads.group(); ++row) {
      std::fill_n(of_token.row(row), seen_begin, 0.0F);
      std::fill(of_token.row(row) + seen_end, of_token.row(row + 1), 0.0F);
    }
  }
}

void Attention::gather_queries(const Heads& heads, size_t kv_head, const Tokens& tokens) {
  const size_t values = heads.group() * heads.dim;
  for (size_t t = 0; t < tokens.count; ++t) {
    std::memcpy(queries_.data() + t * values, tokens.queries.row(t) + kv_head * values, values * sizeof(float));
  }
}

void Attention::scatter_mixed(const Heads& heads, size_t kv_head, const Tokens& tokens) const {
  const size_t values = heads.group() * heads.dim;
  for (size_t t = 0; t < tokens.count; ++t) {
    std::memcpy(tokens.context.row(t) + kv_head * values, mixed_.data() + t * values, values * sizeof(float));
  }
}

}  // namespace quintet::decoder
