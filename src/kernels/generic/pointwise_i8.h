#pragma once
// The convolution of single pixels in bytes. Variants only differ in how they multiply.

#include "kernels/generic/epilogue.h"
#include "kernels/generic/loops.h"
#include "kernels/pointwise_i8.h"

namespace quintet::generic {

// The quads of the pixels of a group.
constexpr size_t kPixelQuadBytes = kInterleavedWindows * kQuad;

// sums [kInterleavedWindows][kPanelRows]: the products of a group of pixels and a panel, less zero point * sum of the
// weights.
using MultiplyPanel = void(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point,
                           int32_t (*sums)[kPanelRows]);

// sums -= zero point * sum of the weights, which follow the panel. For four outputs.
inline void store_less_zero(const v128_t (&sums)[kInterleavedWindows], const int8_t* weight_sums, int32_t zero_point,
                            int32_t (*to)[kPanelRows], size_t first) {
  const v128_t offset = wasm_i32x4_mul(wasm_v128_load(weight_sums), wasm_i32x4_splat(zero_point));
  repeat<kInterleavedWindows>([&](size_t r) { wasm_v128_store(to[r] + first, wasm_i32x4_sub(sums[r], offset)); });
}

[[gnu::noinline]] inline void store_part(const PanelRow& row, const FloatFinish& finish, size_t offset) {
  finish.store(row, offset);
}

// One panel after another, so that its weights stay in the first-level cache for all pixels.
inline void pointwise_i8(MultiplyPanel* multiply, const PointwiseI8Operands& in, const FloatEpilogue& epilogue,
                         const ConvTile& tile) {
  const size_t group_bytes = in.w.quads * kPixelQuadBytes;
  for (size_t p = tile.panel_begin; p < tile.panel_end; ++p) {
    const FloatFinish finish(epilogue, in.output, p * kPanelRows, in.grid.channels);
    const float* const weight_scales = in.w.scales + p * kPanelRows;
    const v128_t low = wasm_v128_load(weight_scales), high = wasm_v128_load(weight_scales + 4);
    const uint8_t* q = in.q;
    const float* scales = in.scales;
    // The next output: its place in its line, and in the map.
    size_t x = tile.begin % in.grid.width, at = in.grid.offset(tile.begin);
    for (size_t left = tile.end - tile.begin, count; left != 0; left -= count) {
      count = std::min(left, kInterleavedWindows);
      int32_t sums[kInterleavedWindows][kPanelRows];
      multiply(q, in.w.panel(p), in.w.quads, in.zero_point, sums);
      QUINTET_KEEP_LOOP
      for (size_t r = 0; r < count; ++r) {
        const v128_t scale = wasm_v128_load32_splat(scales + r);
        const v128_t first = wasm_f32x4_convert_i32x4(wasm_v128_load(sums[r]));
        const v128_t second = wasm_f32x4_convert_i32x4(wasm_v128_load(sums[r] + 4));
        const PanelRow row = {wasm_f32x4_mul(scale, wasm_f32x4_mul(low, first)),
                              wasm_f32x4_mul(scale, wasm_f32x4_mul(high, second))};
        finish.is_whole() ? finish.store_whole(row, at) : store_part(row, finish, at);
        at += in.grid.channels;
        if (++x != in.grid.width) continue;
        x = 0;
        at += in.grid.row_stride - in.grid.width * in.grid.channels;
      }
      scales += kInterleavedWindows;
      q += group_bytes;
    }
  }
}

}  // namespace quintet::generic
