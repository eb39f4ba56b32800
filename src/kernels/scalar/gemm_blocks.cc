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

float dot(const PlainRow& q, const BlockMatrix& w, size_t n) {
  const BlockMatrix::Layout& layout = w.layout();
  const size_t blocks = layout.has_super_blocks() ? w.super_block() : w.blocks();  // with the same units
  float sum = 0;
  for (size_t begin = 0; begin < w.blocks(); begin += blocks) {
    float of_values = 0, of_offsets = 0;
    for (size_t b = begin; b < begin + blocks; ++b) {
      const BlockMatrix::RowBlock weights = w.row_block(n, b);
      const int32_t exact = dot(q[b].q, weights.q.data(), w.block());
      of_values += static_cast<float>(exact) * (weights.scale * q[b].scale);
      float& sum_of_offsets = layout.has_super_blocks() ? of_offsets : of_values;
      if (layout.has_offsets) sum_of_offsets += weights.offset * q[b].scaled_sum;
    }
    const BlockMatrix::Units units = w.units(n, begin / blocks);
    sum += units.scale * of_values;
    if (layout.has_super_blocks() && layout.has_offsets) sum += units.offset * of_offsets;
  }
  return sum;
}

}  // namespace

void gemm_blocks(const std::byte* q, const BlockMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                 const GemmTile& tile) {
  const size_t n_end = std::min(tile.panel_end * kPanelRows, w.rows());
  for (size_t m = tile.row_begin; m < tile.row_end; ++m) {
    const PlainRow row(q, m, w.blocks());
    for (size_t n = tile.panel_begin * kPanelRows; n < n_end; ++n)
      c[m * c_stride + n] = finish(dot(row, w, n), epilogue, m, n);
  }
}

}  // namespace quintet::scalar
