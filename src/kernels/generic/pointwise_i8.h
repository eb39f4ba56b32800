#pragma once
// The convolution of single pixels in bytes. Variants only differ in how they multiply.

#include "kernels/generic/epilogue.h"
#include "kernels/pointwise_i8.h"

namespace quintet::generic {

// sums [kInterleavedWindows][kPanelRows]: the products of a group of pixels and a panel, less zero point * sum of the
// weights.
using MultiplyPanel = void(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point,
                           int32_t (*sums)[kPanelRows]);

// sums -= zero point * sum of the weights, which follow the panel. For four outputs.
inline void store_less_zero(const v128_t (&sums)[kInterleavedWindows], const int8_t* weight_sums, int32_t zero_point,
                            int32_t (*to)[kPanelRows], size_t first) {
  const v128_t offset = wasm_i32x4_mul(wasm_v128_load(weight_sums), wasm_i32x4_splat(zero_point));
  for (size_t r = 0; r < kInterleavedWindows; ++r) wasm_v128_store(to[r] + first, wasm_i32x4_sub(sums[r], offset));
}

// Walks over the outputs of a map.
class OutputWalk {
 public:
  OutputWalk(const OutputGrid& grid, size_t first)
      : grid_(grid), x_(first % grid.width), line_(first / grid.width * grid.row_stride) {}

  size_t next() {
    const size_t offset = line_ + x_ * grid_.channels;
    if (++x_ == grid_.width) {
      x_ = 0;
      line_ += grid_.row_stride;
    }
    return offset;
  }

 private:
  const OutputGrid& grid_;
  size_t x_, line_;
};

// One panel after another, so that its weights stay in the first-level cache for all pixels.
inline void pointwise_i8(MultiplyPanel* multiply, const PointwiseI8Operands& in, const FloatEpilogue& epilogue,
                         const ConvTile& tile) {
  const size_t group_bytes = in.w.quads * kInterleavedWindows * kQuad;
  for (size_t p = tile.panel_begin; p < tile.panel_end; ++p) {
    const FloatFinish finish(epilogue, in.output, p * kPanelRows, in.grid.channels);
    const float* const weight_scales = in.w.scales + p * kPanelRows;
    const v128_t low = wasm_v128_load(weight_scales), high = wasm_v128_load(weight_scales + 4);
    const uint8_t* q = in.q;
    const float* scales = in.scales;
    OutputWalk outputs(in.grid, tile.begin);
    for (size_t left = tile.end - tile.begin, count; left != 0; left -= count, q += group_bytes) {
      count = std::min(left, kInterleavedWindows);
      int32_t sums[kInterleavedWindows][kPanelRows];
      multiply(q, in.w.panel(p), in.w.quads, in.zero_point, sums);
      for (size_t r = 0; r < count; ++r) {
        const v128_t scale = wasm_v128_load32_splat(scales + r);
        const PanelRow row = {
            wasm_f32x4_mul(scale, wasm_f32x4_mul(low, wasm_f32x4_convert_i32x4(wasm_v128_load(sums[r])))),
            wasm_f32x4_mul(scale, wasm_f32x4_mul(high, wasm_f32x4_convert_i32x4(wasm_v128_load(sums[r] + 4))))};
        finish.is_whole() ? finish.store_whole(row, outputs.next()) : finish.store(row, outputs.next());
      }
      scales += kInterleavedWindows;
    }
  }
}

}  // namespace quintet::generic
