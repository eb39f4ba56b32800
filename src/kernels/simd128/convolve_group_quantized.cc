#include <array>

#include "kernels/generic/dot_i16.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/tiles.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// The first window of a tile, and the weights.
struct Factors {
  const int16_t* q;
  const float* scales;
  const PairedMatrix& w;
};

// total += (sum * window_scale) * scales, for eight outputs.
[[gnu::always_inline]] inline void add_group(const v128_t (&sums)[2], v128_t window_scale, const float* scales,
                                             v128_t (&totals)[2]) {
  for (size_t h = 0; h < 2; ++h) {
    const v128_t scaled = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[h]), window_scale);
    totals[h] = wasm_f32x4_add(totals[h], wasm_f32x4_mul(scaled, wasm_v128_load(scales + 4 * h)));
  }
}

// Computes the sums of kRows windows and the eight outputs of a panel, whose widened weights are `panel`.
template <size_t kRows>
void sum_groups(const Factors& in, size_t p, const int16_t* panel, float (*to)[kPanelRows]) {
  const size_t groups = in.w.segments();
  const size_t pairs = in.w.pairs();
  const int16_t* x[kRows];
  for (size_t r = 0; r < kRows; ++r) x[r] = in.q + r * groups * pairs * 2;
  const float* scales = in.w.scales(p);
  v128_t totals[kRows][2];
  for (auto& of_row : totals) of_row[0] = of_row[1] = wasm_f32x4_splat(0);
  for (size_t g = 0; g < groups; ++g, scales += kPanelRows) {
    generic::DotSums<kRows> sums;
    generic::clear<kRows>(sums);
    generic::add_dots<kRows>(x, panel, pairs, sums);
    for (size_t r = 0; r < kRows; ++r) {
      add_group(sums[r], wasm_v128_load32_splat(in.scales + r * groups + g), scales, totals[r]);
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t h = 0; h < 2; ++h) wasm_v128_store(to[r] + 4 * h, totals[r][h]);
  }
}

void store(const float (*sums)[kPanelRows], size_t rows, const size_t* offsets, const generic::FloatFinish& finish) {
  for (size_t r = 0; r < rows; ++r) {
    const generic::PanelRow row = generic::PanelRow::load(sums[r], kPanelRows);
    finish.is_whole() ? finish.store_whole(row, offsets[r]) : finish.store(row, offsets[r]);
  }
}

// The functions are in a table for the same reason as those of generic/tiles.h.
constexpr std::array kTiles = {sum_groups<1>, sum_groups<2>, sum_groups<3>, sum_groups<4>};
static_assert(kTiles.size() == generic::kDotRows);

}  // namespace

void convolve_group_quantized(const ConvolveGroupQuantizedOperands& operands, const FloatEpilogue& epilogue,
                              const ConvTile& tile) {
  const PairedMatrix& w = operands.w;
  const OutputGrid& grid = operands.grid;
  const size_t groups = w.segments();
  const int16_t* panels = operands.panels;
  // One panel after another, so that its weights stay in the cache for all windows.
  for (size_t p = tile.panel_begin; p < tile.panel_end; ++p, panels += w.panel_values()) {
    const generic::FloatFinish finish(epilogue, operands.output, p * kPanelRows, w.rows());
    Factors in = {operands.q, operands.scales, w};
    for (size_t i = tile.begin, rows; i < tile.end; i += rows) {
      rows = generic::next_rows(tile.end - i, kTiles.size());
      float sums[kTiles.size()][kPanelRows];
      kTiles[rows - 1](in, p, panels, sums);
      size_t offsets[kTiles.size()];
      generic::place(i, grid.width, grid.channels, grid.row_stride, offsets);
      store(sums, rows, offsets, finish);
      in.q += rows * groups * w.pairs() * 2;
      in.scales += rows * groups;
    }
  }
}

}  // namespace quintet::simd128
