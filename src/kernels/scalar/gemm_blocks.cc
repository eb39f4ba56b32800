#include "kernels/quantize.h"
#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

using PlainRow = BlockRow<const ByteActivation, 1>;

int32_t dot(const int8_t* a, const int8_t* b, size_t count) {
  int32_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

int32_t sum_of(const ByteActivation& block) { return -block.negative_sum; }

float dot_of_blocks(const PlainRow& q, const BlockMatrix& w, size_t n) {
  float sum = 0;
  for (size_t b = 0; b < w.blocks(); ++b) {
    const BlockMatrix::RowBlock weights = w.row_block(n, b);
    sum += static_cast<float>(dot(q[b].q, weights.q.data(), w.block())) * (weights.scale * q[b].scale);
    if (w.layout().has_offsets) sum += weights.offset * (static_cast<float>(sum_of(q[b])) * q[b].scale);
  }
  return sum;
}

float dot_of_super_blocks(const PlainRow& q, const BlockMatrix& w, size_t n) {
  float sum = 0;
  for (size_t first = 0; first < w.blocks(); first += w.super_block()) {
    int32_t of_values = 0, of_offsets = 0;
    for (size_t b = first; b < first + w.super_block(); ++b) {
      const BlockMatrix::RowBlock weights = w.row_block(n, b);
      of_values += static_cast<int32_t>(weights.scale) * dot(q[b].q, weights.q.data(), w.block());
      of_offsets += static_cast<int32_t>(weights.offset) * sum_of(q[b]);
    }
    const BlockMatrix::Units units = w.units(n, first / w.super_block());
    const float scale = q[first].scale;
    sum += (units.scale * scale) * static_cast<float>(of_values);
    if (w.layout().has_offsets) sum += (units.offset * scale) * static_cast<float>(of_offsets);
  }
  return sum;
}

}  // namespace

void gemm_blocks(const GemmBlocksOperands& in, const Epilogue& epilogue, const GemmTile& tile) {
  const BlockMatrix& w = in.w;
  const size_t n_end = std::min(tile.panel_end * kPanelRows, w.rows());
  const auto dot = w.layout().has_super_blocks() ? dot_of_super_blocks : dot_of_blocks;
  for (size_t m = tile.row_begin; m < tile.row_end; ++m) {
    const PlainRow row(in.q, m, w.blocks());
    for (size_t n = tile.panel_begin * kPanelRows; n < n_end; ++n)
      in.c.row(m)[n] = finish(dot(row, w, n), epilogue, m, n);
  }
}

}  // namespace quintet::scalar
