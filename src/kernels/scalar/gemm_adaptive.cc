#include "base/half.h"
#include "kernels/quantize.h"
#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

using PlainRow = BlockRow<const ByteActivation, 1>;

float dot(const float* x, const std::byte* record, size_t block) {
  const auto* const halves = reinterpret_cast<const uint16_t*>(record);
  float sum = 0;
  for (size_t i = 0; i < block; ++i) sum += x[i] * f16_to_f32(halves[i]);
  return sum;
}

float dot(const ByteActivation& q, BlockCode code, const std::byte* record, size_t block) {
  int32_t exact = 0;
  for (size_t i = 0; i < block; ++i) exact += q.q[i] * adaptive_value(code, record, block, i);
  return static_cast<float>(exact) * (*reinterpret_cast<const float*>(record) * q.scale);
}

float dot(const float* x, const PlainRow& q, const AdaptiveMatrix& w, size_t n) {
  const AdaptiveMatrix::Row runs = w.row(n);
  float sum = 0;
  for (size_t c = 0; c < kBlockCodes; ++c) {
    const auto code = static_cast<BlockCode>(c);
    const std::byte* record = runs[c].records;
    for (size_t i = 0; i < runs[c].count; ++i, record += w.record_bytes(code)) {
      const size_t b = runs[c].positions[i];
      sum += code == BlockCode::fp16 ? dot(x + b * w.block(), record, w.block()) : dot(q[b], code, record, w.block());
    }
  }
  return sum;
}

}  // namespace

void gemm_adaptive(const GemmAdaptiveOperands& in, const Epilogue& epilogue, const GemmTile& tile) {
  const size_t n_end = std::min(tile.panel_end * kPanelRows, in.w.rows());
  for (size_t row = tile.row_begin; row < tile.row_end; ++row) {
    const PlainRow blocks(in.q, row, in.w.blocks());
    for (size_t n = tile.panel_begin * kPanelRows; n < n_end; ++n) {
      in.c.row(row)[n] = finish(dot(in.x.row(row), blocks, in.w, n), epilogue, row, n);
    }
  }
}

}  // namespace quintet::scalar
