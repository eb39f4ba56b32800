#include <cmath>
#include <cstring>

#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"
#include "tensor/finite.h"

namespace quintet::scalar {
namespace {

ByteActivation quantize_block(const float* x, size_t count, const RowScale& factors) {
  ByteActivation block = {};
  block.scale = factors.scale;
  if (factors.inverse != 0) {
    for (size_t i = 0; i < count; ++i) {
      // Rounds half to even.
      block.q[i] = static_cast<int8_t>(std::lrint(x[i] * factors.inverse));
    }
  }
  for (size_t i = 0; i < count; ++i) {
    int16_t& pair = block.negative_pairs[i % kQuad / 2];
    pair = static_cast<int16_t>(pair - 8 * block.q[i]);
    block.negative_sum -= block.q[i];
  }
  return block;
}

}  // namespace

void quantize_rows(const QuantizeRowsOperands& in) {
  const size_t group = in.cols / in.groups;
  const size_t padded = (group + kQuad - 1) / kQuad * kQuad;
  uint8_t* q = in.q;
  for (size_t r = 0; r < in.rows; ++r) {
    const float* row = in.x.row(r);
    const RowScale factors = row_scale(max_abs(row, in.cols));
    in.scales[r] = factors.scale;
    for (size_t g = 0; g < in.groups; ++g, row += group, q += padded) {
      std::memset(q, kActivationZero, padded);
      if (factors.inverse == 0) continue;
      for (size_t i = 0; i < group; ++i) {
        // Rounds half to even.
        q[i] = static_cast<uint8_t>(kActivationZero + std::lrint(row[i] * factors.inverse));
      }
    }
  }
}

void quantize_blocks(const QuantizeBlocksOperands& in) {
  const BlockGroups& groups = in.groups;
  const size_t blocks = in.cols / groups.block;
  for (size_t r = in.begin; r < in.end; ++r) {
    const float* const row = in.x.row(r);
    const BlockRow<ByteActivation, 1> out(in.q, r, blocks);
    for (size_t b = 0; b < blocks; ++b) {
      const float* const group = row + b * groups.block / groups.group * groups.group;
      const RowScale factors = row_scale(max_abs(group, groups.group), kBlockActivationSteps);
      out[b] = quantize_block(row + b * groups.block, groups.block, factors);
      out[b / 2 * 2].pair_sums[b % 2] = static_cast<int16_t>(-out[b].negative_sum);
    }
  }
}

void quantize_static(const float* x, size_t count, float scale, int32_t zero_point, int16_t* y) {
  for (size_t i = 0; i < count; ++i) {
    const float steps = x[i] / scale;
    y[i] = std::isnan(steps) ? int16_t{0} : round_and_clamp(steps, -zero_point, 255 - zero_point);
  }
}

}  // namespace quintet::scalar
