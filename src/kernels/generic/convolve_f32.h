#pragma once
// The float convolution: tiles as those of gemm_f32.h, whose rows are windows. Every sum runs over its window in
// ascending order in one accumulator, in any tile.

#include "kernels/convolve_f32.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/gemm_f32.h"
#include "kernels/generic/tiles.h"

namespace quintet::generic {

template <size_t kRows>
[[gnu::always_inline]] inline void store_sums(const v128_t (&sums)[kRows][2], const FloatFinish& finish,
                                              const size_t (&offsets)[kRows]) {
  if (finish.is_whole()) {
    for (size_t r = 0; r < kRows; ++r) finish.store_whole({sums[r][0], sums[r][1]}, offsets[r]);
  } else {
    alignas(16) float memory[kRows * kPanelRows];
    for (size_t r = 0; r < kRows; ++r) PanelRow{sums[r][0], sums[r][1]}.store(memory + r * kPanelRows, kPanelRows);
    store_part(memory, finish, offsets, kRows);
  }
}

template <class Arithmetic, size_t kRows, size_t kPanels>
void convolve_tile(const ConvolveF32Operands& in, size_t first, size_t panel, size_t count,
                   const FloatEpilogue& epilogue) {
  const Im2colView& view = in.view;
  const size_t panel_values = view.rows * view.run * kPanelRows;
  const size_t gap = view.row_stride - view.run;
  size_t begins[kRows], offsets[kRows];
  place(first, view.width, view.step, view.line, begins);
  place(first, in.grid.width, in.grid.channels, in.grid.row_stride, offsets);

  const size_t panel_end = panel + count;
  for (; panel < panel_end; panel += kPanels) {
    const float* a[kRows];
    for (size_t r = 0; r < kRows; ++r) a[r] = in.input + begins[r];
    const float* w[kPanels];
    // Beyond the last panel, it is computed again and not stored.
    for (size_t p = 0; p < kPanels; ++p) w[p] = in.w.data + std::min(panel + p, panel_end - 1) * panel_values;
    v128_t sums[kPanels][kRows][2];
    for (auto& panel_sums : sums) {
      for (auto& row_sums : panel_sums) row_sums[0] = row_sums[1] = wasm_f32x4_splat(0);
    }

    PanelF32 weights;
    constexpr size_t kUnrolled = Arithmetic::kUnrolled;
    for (size_t row = 0; row < view.rows; ++row) {
      size_t k = 0;
      for (; k + kUnrolled <= view.run; k += kUnrolled) {
        for (size_t i = 0; i < kUnrolled; ++i) multiply_add<Arithmetic>(weights, a, w, i, sums);
        for (const float*& pointer : a) pointer += kUnrolled;
        for (const float*& pointer : w) pointer += kUnrolled * kPanelRows;
      }
      for (; k < view.run; ++k) {
        multiply_add<Arithmetic>(weights, a, w, 0, sums);
        for (const float*& pointer : a) ++pointer;
        for (const float*& pointer : w) pointer += kPanelRows;
      }
      for (const float*& pointer : a) pointer += gap;
    }

    for (size_t p = 0; p < kPanels && panel + p < panel_end; ++p) {
      store_sums(sums[p], FloatFinish(epilogue, in.output, (panel + p) * kPanelRows, in.grid.channels), offsets);
    }
  }
}

template <class Arithmetic>
constexpr auto kConvolveTiles = float_tiles<Arithmetic, Tile<ConvolveF32Operands, FloatEpilogue>>(
    []<size_t kRows, size_t kPanels> { return convolve_tile<Arithmetic, kRows, kPanels>; });

template <class Arithmetic>
inline void convolve_f32(const ConvolveF32Operands& in, const FloatEpilogue& epilogue, const ConvTile& tile) {
  cover({tile.begin, tile.end, tile.panel_begin, tile.panel_end}, in.w.cols * kPanelRows * sizeof(float),
        kConvolveTiles<Arithmetic>, in, epilogue);
}

}  // namespace quintet::generic
