#include "models/encoder/attention.h"

#include <algorithm>

#include "models/encoder/pass_sizes.h"
#include "models/transformer/rope_frequencies.h"
#include "models/transformer/rows.h"

namespace quintet::encoder {
namespace {

RopeAngles angles_of(const EncoderConfig& config) {
  return RopeAngles(rope_frequencies(config), config.yarn_rope ? config.yarn_rope->attention_factor : 1);
}

// Only where layers with a window rotate in their own way.
RopeAngles local_angles_of(const EncoderConfig& config) {
  return config.has_local_rope() ? RopeAngles(local_rope_frequencies(config)) : RopeAngles();
}

}  // namespace

Attention::Attention(const EncoderConfig& config, const Weights& weights, const Kernels& kernels)
    : config_(config),
      kernels_(kernels),
      angles_(angles_of(config)),
      local_angles_(local_angles_of(config)),
      bias_(config, weights.shared[TensorKind::distance_bias].vector.span()),
      relative_(config, weights, kernels) {}

Status Attention::prepare(size_t longest) {
  QUINTET_CHECK(bias_.prepare(longest));
  QUINTET_CHECK(relative_.prepare(longest));
  if (longest <= prepared_) return {};
  for (RopeAngles* angles : {&angles_, &local_angles_}) {
    QUINTET_CHECK(angles->reserve(longest));
    angles->set(0, longest);
  }
  prepared_ = longest;
  return {};
}

Status Attention::reserve(AttentionScratch& scratch, uint64_t longest) const {
  const AttentionSizes needed(config_, longest);
  QUINTET_CHECK(scratch.scores.reserve(needed.scores));
  QUINTET_CHECK(relative_.reserve(scratch.relative, needed.rows, longest));
  QUINTET_CHECK(scratch.key_panels.reserve(needed.key_panels));
  return scratch.value_panels.reserve(needed.value_panels);
}

void Attention::rotate(const Heads& heads, size_t position, float* query, float* key) const {
  const RopeAngles& angles = config_.has_local_rope(heads.layer) ? local_angles_ : angles_;
  transformer::rotate_row(kernels_, heads, angles, position, heads.count, query);
  transformer::rotate_row(kernels_, heads, angles, position, heads.kv_count, key);
}

// A token that has none in its window sees the last one.
Attention::Span Attention::seen_by(size_t position, size_t reach, size_t seen) const {
  const size_t last = config_.is_causal ? std::min(position + 1, seen) : seen;
  if (reach == 0) return {0, last};
  const size_t end = std::min(last, position + reach + 1);
  return {std::min(position - std::min(position, reach), end - 1), end};
}

void Attention::attend(size_t layer, const Sequence& sequence, size_t head, const float* qkv, float* context,
                       AttentionScratch& scratch) const {
  const Heads own(config_, layer);
  const size_t head_dim = own.dim;
  const size_t key_head = head / own.group();
  const size_t length = sequence.length, seen = sequence.seen();
  const size_t reach = reach_of(layer);
  const ConstRows first = {qkv + sequence.begin * own.qkv(), own.qkv()};
  const ConstRows query = first.from_column(head * head_dim);
  const ConstRows key = first.from_column(own.queries() + key_head * head_dim);
  const ConstRows value = key.from_column(own.keys());
  const Rows result = {context + sequence.begin * own.queries() + head * head_dim, own.queries()};
  Epilogue scaled = {.alpha = own.scale};
  if (relative_.exists()) relative_.begin(layer, head, key, length, scratch.relative);

  for (size_t row = 0; row < length; row += kRowBlock) {
    const size_t rows = std::min(kRowBlock, length - row);
    const Span keys = {.begin = seen_by(row, reach, seen).begin, .end = seen_by(row + rows - 1, reach, seen).end};
    const Rows scores = {scratch.scores.data(), keys.count()};
    if (row == 0 || reach != 0 || config_.is_causal) {
      kernels_.pack_rows(
          {.x = key.from_row(keys.begin), .rows = keys.count(), .cols = head_dim, .panels = scratch.key_panels.data()});
      kernels_.pack_columns({.x = value.from_row(keys.begin),
                             .rows = keys.count(),
                             .cols = head_dim,
                             .panels = scratch.value_panels.data()});
    }
    if (bias_.exists()) {
      for (size_t r = 0; r < rows; ++r) {
        std::copy_n(bias_.row(head, row + r) + keys.begin, keys.count(), scores.row(r));
      }
      scaled.residual = scores;
    }
    if (relative_.exists()) {
      relative_.write(layer, head, query.from_row(row), rows, row, length, scores, scratch.relative);
      scaled.residual = scores;
    }
    const GemmPanelsF32Operands score = {.a = query.from_row(row),
                                         .panels = scratch.key_panels.data(),
                                         .m = rows,
                                         .n = keys.count(),
                                         .k = head_dim,
                                         .c = scores};
    kernels_.gemm_panels_f32(score, scaled);
    softmax(row, rows, keys, reach, seen, scores);
    const GemmPanelsF32Operands mix = {.a = scores,
                                       .panels = scratch.value_panels.data(),
                                       .m = rows,
                                       .n = head_dim,
                                       .k = keys.count(),
                                       .c = result.from_row(row)};
    kernels_.gemm_panels_f32(mix, {});
  }
}

// The softmax runs over exactly the keys that a token sees; all others have weight zero.
void Attention::softmax(size_t row, size_t rows, const Span& keys, size_t reach, size_t seen, Rows scores) const {
  if (reach == 0 && !config_.is_causal) {
    return kernels_.softmax_rows({.x = scores, .rows = rows, .cols = keys.count()});
  }
  for (size_t r = 0; r < rows; ++r) {
    const Span window = seen_by(row + r, reach, seen);
    float* const begin = scores.row(r);
    float* const first = begin + (window.begin - keys.begin);
    kernels_.softmax_rows({.x = {first, scores.stride}, .rows = 1, .cols = window.count()});
    std::fill(begin, first, 0.0F);
    std::fill(first + window.count(), scores.row(r + 1), 0.0F);
  }
}

}  // namespace quintet::encoder
