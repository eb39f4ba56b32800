#include <algorithm>
#include <array>

#include "kernels/generic/dot_i16.h"
#include "kernels/generic/static_epilogue.h"
#include "kernels/generic/tiles.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

using generic::kPanelPair;

void widen_segment(const int8_t* values, size_t pairs, const int16_t* zero_points, int16_t* out) {
  const v128_t zeros[2] = {generic::paired_zeros(zero_points), generic::paired_zeros(zero_points + 4)};
  for (size_t i = 0; i < pairs; ++i, values += kPanelPair, out += kPanelPair) {
    wasm_v128_store(out, wasm_i16x8_sub(wasm_i16x8_load8x8(values), zeros[0]));
    wasm_v128_store(out + 8, wasm_i16x8_sub(wasm_i16x8_load8x8(values + 8), zeros[1]));
  }
}

// The last pair of a segment of odd length has no second values.
void clear_second(int16_t* pair) {
  for (size_t i = 1; i < kPanelPair; i += 2) pair[i] = 0;
}

// Computes the sums of the kRows windows that start at `begins`, times a panel.
template <size_t kRows>
void sum_windows(const ConvolveI16Operands& in, const size_t* begins, const int16_t* panel, int32_t (*to)[kPanelRows]) {
  const Im2colView& view = in.view;
  const size_t pairs = view.run / 2 + view.run % 2;
  // Negative if a run of odd length is a whole row.
  const ptrdiff_t gap = static_cast<ptrdiff_t>(view.row_stride) - static_cast<ptrdiff_t>(2 * pairs);
  const int16_t* x[kRows];
  for (size_t r = 0; r < kRows; ++r) x[r] = in.input + begins[r];
  generic::DotSums<kRows> sums;
  generic::clear<kRows>(sums);
  for (size_t row = 0; row < view.rows; ++row) {
    generic::add_dots<kRows>(x, panel, pairs, sums);
    for (const int16_t*& next : x) next += gap;
  }
  generic::store_sums<kRows>(sums, to);
}

// The functions are in a table for the same reason as those of generic/tiles.h.
constexpr std::array kTiles = {sum_windows<1>, sum_windows<2>, sum_windows<3>, sum_windows<4>};
static_assert(kTiles.size() == generic::kDotRows);

// The number of panels whose weights stay in the first-level cache for all windows.
size_t panels_at_once(const PairedMatrix& w) {
  constexpr size_t kBlockBytes = 24 * 1024;
  return std::max<size_t>(kBlockBytes / sizeof(int16_t) / std::max<size_t>(w.panel_values(), 1), 1);
}

}  // namespace

// Outputs that do not exist have zeros as values and zero points.
void widen_panels(const PairedMatrix& w, size_t begin, size_t end, int16_t* out) {
  const size_t pairs = w.pairs();
  for (size_t p = begin; p < end; ++p) {
    const int8_t* values = w.panel(p);
    for (size_t s = 0; s < w.segments(); ++s, values += pairs * kPanelPair, out += pairs * kPanelPair) {
      widen_segment(values, pairs, w.zero_points(p) + s * kPanelRows, out);
      if (w.length() % 2 != 0) clear_second(out + (pairs - 1) * kPanelPair);
    }
  }
}

void convolve_i16(const ConvolveI16Operands& in, const StaticEpilogue& epilogue, const ConvTile& tile) {
  const PairedMatrix& w = in.w;
  const Im2colView& view = in.view;
  const OutputGrid& grid = in.grid;
  const generic::Requantization requantization(epilogue);
  const size_t max = panels_at_once(w);
  for (size_t block = tile.panel_begin, end; block < tile.panel_end; block = end) {
    end = std::min(block + max, tile.panel_end);
    for (size_t i = tile.begin, rows; i < tile.end; i += rows) {
      rows = generic::next_rows(tile.end - i, kTiles.size());
      size_t begins[kTiles.size()], at[kTiles.size()];
      generic::place(i, view.width, view.step, view.line, begins);
      generic::place(i, grid.width, grid.channels, grid.row_stride, at);
      for (size_t p = block; p < end; ++p) {
        int32_t sums[kTiles.size()][kPanelRows];
        kTiles[rows - 1](in, begins, in.panels + (p - tile.panel_begin) * w.panel_values(), sums);
        const size_t channel = p * kPanelRows;
        requantization.store(sums, at, rows, channel, std::min(kPanelRows, w.rows() - channel), in.output);
      }
    }
  }
}

}  // namespace quintet::simd128
