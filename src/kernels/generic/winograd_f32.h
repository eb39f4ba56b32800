#pragma once
// The sixteen matrix products of Winograd's algorithm. Every sum runs over the channels in ascending order in one
// accumulator, in any group of tiles.

#include "kernels/generic/epilogue.h"
#include "kernels/generic/gemm_f32.h"
#include "kernels/generic/tiles.h"
#include "kernels/winograd_f32.h"

namespace quintet::generic {

// The sums over channels of a group of tiles times a panel: sums [kWinogradTaps][kTiles][kPanelRows].
template <class Arithmetic, size_t kTiles>
void winograd_products(const float* v, const float* u, size_t channels, float* sums) {
  for (size_t tap = 0; tap < kWinogradTaps; ++tap) {
    const float* a[kTiles];
    for (size_t t = 0; t < kTiles; ++t) a[t] = v + (t * kWinogradTaps + tap) * channels;
    const float* w[1] = {u + tap * channels * kPanelRows};
    v128_t m[1][kTiles][2];
    for (auto& eight : m[0]) eight[0] = eight[1] = wasm_f32x4_splat(0);

    PanelF32 weights;
    constexpr size_t kUnrolled = Arithmetic::kUnrolled;
    static_assert(4 % kUnrolled == 0, "channels come in fours");
    for (size_t c = 0; c < channels; c += kUnrolled) {
      for (size_t i = 0; i < kUnrolled; ++i) multiply_add<Arithmetic>(weights, a, w, i, m);
      for (const float*& pointer : a) pointer += kUnrolled;
      w[0] += kUnrolled * kPanelRows;
    }

    for (const auto& eight : m[0]) {
      PanelRow{eight[0], eight[1]}.store(sums, kPanelRows);
      sums += kPanelRows;
    }
  }
}

// A^T m A for one tile and four channels; taps have distance `stride`.
[[gnu::always_inline]] inline void transform_sums(const float* m, size_t stride, v128_t (&y)[4]) {
  v128_t rows[4][2];
  for (size_t i = 0; i < 4; ++i, m += 4 * stride) {
    const v128_t m1 = wasm_v128_load(m + stride), m2 = wasm_v128_load(m + 2 * stride);
    rows[i][0] = wasm_f32x4_add(wasm_f32x4_add(wasm_v128_load(m), m1), m2);
    rows[i][1] = wasm_f32x4_sub(wasm_f32x4_sub(m1, m2), wasm_v128_load(m + 3 * stride));
  }
  for (size_t x = 0; x < 2; ++x) {
    y[x] = wasm_f32x4_add(wasm_f32x4_add(rows[0][x], rows[1][x]), rows[2][x]);
    y[2 + x] = wasm_f32x4_sub(wasm_f32x4_sub(rows[1][x], rows[2][x]), rows[3][x]);
  }
}

// The outputs of `count` tiles and one panel, within the bounds of the map.
[[gnu::noinline]] inline void store_tiles(const float* sums, size_t first, size_t count, const OutputGrid& grid,
                                          const FloatFinish& finish) {
  const size_t stride = count * kPanelRows;
  const size_t tiles_in_row = (grid.width + 1) / 2;
  size_t x = first % tiles_in_row * 2, y = first / tiles_in_row * 2;
  for (size_t t = 0; t < count; ++t, sums += kPanelRows) {
    v128_t low[4], high[4];
    transform_sums(sums, stride, low);
    transform_sums(sums + 4, stride, high);
    const size_t offset = y * grid.row_stride + x * grid.channels;
    const bool right = x + 1 < grid.width;
    finish.store({low[0], high[0]}, offset);
    if (right) finish.store({low[1], high[1]}, offset + grid.channels);
    if (y + 1 < grid.height) {
      finish.store({low[2], high[2]}, offset + grid.row_stride);
      if (right) finish.store({low[3], high[3]}, offset + grid.row_stride + grid.channels);
    }
    x += 2;
    if (x >= grid.width) {
      x = 0;
      y += 2;
    }
  }
}

using WinogradProducts = void (*)(const float* v, const float* u, size_t channels, float* sums);

// The products of 1, 2, ... tiles are called through this table for the same reasons as in Tiles.
template <class Arithmetic>
constexpr auto kWinogradProducts = float_tiles<Arithmetic, WinogradProducts>(
    []<size_t kTiles, size_t> { return winograd_products<Arithmetic, kTiles>; });

template <class Arithmetic>
inline void winograd_multiply_f32(const WinogradOperands<float>& in, const FloatEpilogue& epilogue,
                                  const ConvTile& tile) {
  constexpr size_t kMaxTiles = Arithmetic::kPanels.size();
  const size_t channels = in.channels;
  const size_t panel_values = kWinogradTaps * channels * kPanelRows;
  const float* v = in.v;
  alignas(16) float sums[kWinogradTaps * kMaxTiles * kPanelRows];
  for (size_t first = tile.begin, count; first < tile.end; first += count, v += count * kWinogradTaps * channels) {
    count = next_rows(tile.end - first, kMaxTiles);
    for (size_t panel = tile.panel_begin; panel < tile.panel_end; ++panel) {
      kWinogradProducts<Arithmetic>[count - 1](v, in.u + (panel - tile.panel_begin) * panel_values, channels, sums);
      store_tiles(sums, first, count, in.grid, FloatFinish(epilogue, in.output, panel * kPanelRows, in.grid.channels));
    }
  }
}

}  // namespace quintet::generic
