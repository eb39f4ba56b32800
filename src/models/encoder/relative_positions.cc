#include "models/encoder/relative_positions.h"

#include <algorithm>
#include <bit>

#include "base/power.h"
#include "models/packed_projection.h"

namespace quintet::encoder {
namespace {

constexpr uint64_t round_up_to_panel(uint64_t n) { return (n + kPanelRows - 1) / kPanelRows * kPanelRows; }

}  // namespace

RelativePositions::RelativePositions(const EncoderConfig& config, const Weights& weights, const Kernels& kernels)
    : config_(config), weights_(weights), kernels_(kernels), heads_(config, 0) {}

// Half of the buckets of a side are single distances; the others are equally wide on a logarithmic scale, on which the
// last distance has the last bucket (transformers, make_log_bucket_position, whose value for a distance d is
// half + ceil(ln(d / half) / ln(last / half) * (half - 1))).
double RelativePositions::last_distance_of(uint64_t bucket) const {
  const auto half = static_cast<double>(config_.relative_buckets / 2);
  if (static_cast<double>(bucket) <= half) return static_cast<double>(bucket);
  constexpr double kRounding = 1 + 1e-9;
  const double growth = static_cast<double>(config_.relative_distances - 1) / half;
  return half * kRounding * power(growth, (static_cast<double>(bucket) - half) / (half - 1));
}

// Few lengths are prepared for, because each costs as much as a layer.
Status RelativePositions::prepare(size_t longest) {
  if (!exists() || longest <= longest_) return {};
  longest_ = std::bit_ceil(longest);
  const uint64_t middle = config_.relative_buckets;
  rows_.resize(2 * longest_ - 1);
  uint64_t bucket = 0;
  for (size_t distance = 0; distance < longest_; ++distance) {
    while (bucket<middle&& static_cast<double>(distance)> last_distance_of(bucket)) ++bucket;
    rows_[longest_ - 1 + distance] = static_cast<uint32_t>(std::min(middle + bucket, 2 * middle - 1));
    rows_[longest_ - 1 - distance] = static_cast<uint32_t>(middle - bucket);
  }
  first_ = rows_.front();
  count_ = rows_.back() - first_ + 1;
  for (uint32_t& row : rows_) row -= static_cast<uint32_t>(first_);
  return project();
}

Status RelativePositions::project() {
  const auto hidden = config_.hidden_size();
  const Module& norm = weights_.shared[TensorKind::relative_norm];
  AlignedBuffer<float> normalized;
  QUINTET_CHECK(normalized.reserve(uint64_t{count_} * hidden));
  QUINTET_CHECK(normalized.resize_uninitialized(uint64_t{count_} * hidden));
  const Rows embeddings = {normalized.data(), hidden};
  std::copy_n(weights_.shared[TensorKind::relative_embeddings].vector.data() + first_ * hidden, count_ * hidden,
              embeddings.data);
  kernels_.layer_norm_rows({.x = embeddings,
                            .rows = count_,
                            .cols = hidden,
                            .gamma = norm.vector.data(),
                            .beta = norm.bias.data(),
                            .epsilon = static_cast<float>(config_.norm_eps),
                            .y = embeddings});
  ProjectionScratch scratch;
  projected_.resize(weights_.layers.size());
  for (size_t layer = 0; layer < projected_.size(); ++layer) {
    const Module& key = weights_.layers[layer][TensorKind::key];
    const Module& query = weights_.layers[layer][TensorKind::query];
    AlignedBuffer<float>& projected = projected_[layer];
    QUINTET_CHECK(projected.reserve(uint64_t{count_} * 2 * hidden));
    for (const Module* module : {&key, &query}) QUINTET_CHECK(scratch.reserve(module->matrix, count_));
    const Rows keys = {projected.data(), 2 * hidden};
    const PackedProjection projection(kernels_, scratch, Workers::all);
    projection.multiply({embeddings, 0, count_}, {{key, keys}, {query, keys.from_column(hidden)}});
  }
  return {};
}

Status RelativePositions::reserve(RelativeScratch& scratch, uint64_t rows, uint64_t longest) const {
  if (!exists()) return {};
  QUINTET_CHECK(scratch.panels.reserve(round_up_to_panel(count_) * heads_.dim));
  QUINTET_CHECK(scratch.queries.reserve(rows * count_));
  return scratch.keys.reserve(longest * count_);
}

void RelativePositions::multiply(size_t layer, size_t head, size_t column, ConstRows vectors, size_t rows,
                                 float* products, RelativeScratch& scratch) const {
  const size_t hidden = config_.hidden_size();
  const ConstRows projected = {projected_[layer].data(), 2 * hidden};
  kernels_.pack_rows({.x = projected.from_column(column * hidden + head * heads_.dim),
                      .rows = count_,
                      .cols = heads_.dim,
                      .panels = scratch.panels.data()});
  kernels_.gemm_panels_f32(
      {.a = vectors, .panels = scratch.panels.data(), .m = rows, .n = count_, .k = heads_.dim, .c = {products, count_}},
      {.alpha = heads_.scale});
}

void RelativePositions::begin(size_t layer, size_t head, ConstRows keys, size_t length,
                              RelativeScratch& scratch) const {
  multiply(layer, head, 1, keys, length, scratch.keys.data(), scratch);
}

void RelativePositions::write(size_t layer, size_t head, ConstRows queries, size_t rows, size_t position, size_t length,
                              Rows scores, RelativeScratch& scratch) const {
  multiply(layer, head, 0, queries, rows, scratch.queries.data(), scratch);
  for (size_t row = 0; row < rows; ++row) {
    const uint32_t* const of_first_key = rows_.data() + longest_ - 1 + position + row;
    const float* const query = scratch.queries.data() + row * count_;
    const float* key = scratch.keys.data();
    float* const out = scores.row(row);
    for (size_t i = 0; i < length; ++i, key += count_) {
      const uint32_t bucket = *(of_first_key - i);
      out[i] = query[bucket] + key[bucket];
    }
  }
}

size_t RelativePositions::bytes() const {
  size_t total = rows_.capacity() * sizeof(uint32_t);
  for (const AlignedBuffer<float>& projected : projected_) total += projected.capacity() * sizeof(float);
  return total;
}

}  // namespace quintet::encoder
