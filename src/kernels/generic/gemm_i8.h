#pragma once
// The 8-bit GEMM. The dot products of a group are exact; the float steps are one multiplication and one addition per
// group, in order, the same in every variant.

#include "kernels/gemm_i8.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/tiles.h"
#include "kernels/quantize.h"

namespace quintet::generic {

struct OperandsI8 : GemmI8Operands {
  // [row][2][group][block], or null: ActivationTile::squares and, at the first row of a tile, greatest_squares.
  const float* squares;
};

// total += scale * (sum - zero_term), for four outputs.
inline v128_t add_group(v128_t total, v128_t sum, const float* scales, const int32_t* zero_terms) {
  const v128_t exact = wasm_f32x4_convert_i32x4(wasm_i32x4_sub(sum, wasm_v128_load(zero_terms)));
  return wasm_f32x4_add(total, wasm_f32x4_mul(wasm_v128_load(scales), exact));
}

// `Dot::run(activations, w, quads, sums)` sets sums[panel][row] to the dot products of kRows interleaved rows of
// activations with the eight outputs of each of kPanels panels; a quad of activations takes Dot::kQuadBytes.
// Rare tiles only compute the last rows of a matrix: they do without code for the common epilogues.
template <class Arithmetic, class Dot, size_t kRows, size_t kPanels>
void tile_i8(const OperandsI8& in, size_t row, size_t panel, size_t count, const Epilogue& epilogue) {
  const size_t groups = in.w.groups();
  const size_t quads = in.w.group_quads();
  const size_t row_bytes = groups * quads * Dot::kQuadBytes;
  const size_t row_blocks = groups * (quads / SumCenters::kQuads);
  const size_t panel_end = panel + count;
  for (; panel < panel_end; panel += kPanels) {
    // Beyond the last panel it is computed again and not stored.
    size_t panels[kPanels];
    for (size_t p = 0; p < kPanels; ++p) panels[p] = std::min(panel + p, panel_end - 1);
    v128_t totals[kPanels][kRows][2];
    for (auto& panel_totals : totals) {
      for (auto& row_totals : panel_totals) row_totals[0] = row_totals[1] = wasm_f32x4_splat(0);
    }

    for (size_t g = 0; g < groups; ++g) {
      ActivationTile activations = {.q = in.q + row * row_bytes + g * quads * kRows * Dot::kQuadBytes};
      if (in.squares != nullptr) {
        activations.squares = in.squares + 2 * row * row_blocks + g * (quads / SumCenters::kQuads);
        activations.squares_stride = 2 * row_blocks;
        activations.greatest_squares = activations.squares + row_blocks;
      }
      PackedMatrix::Group w[kPanels];
      for (size_t p = 0; p < kPanels; ++p) w[p] = in.w.group_i8(panels[p], g);
      v128_t sums[kPanels][kRows][2];
      Dot::run(activations, w, quads, sums);
      for (size_t p = 0; p < kPanels; ++p) {
        const float* scales = in.w.scales(panels[p]) + g * kPanelRows;
        const int32_t* zero_terms = in.w.zero_terms(panels[p]) + g * kPanelRows;
        for (size_t r = 0; r < kRows; ++r) {
          totals[p][r][0] = add_group(totals[p][r][0], sums[p][r][0], scales, zero_terms);
          totals[p][r][1] = add_group(totals[p][r][1], sums[p][r][1], scales + 4, zero_terms + 4);
        }
      }
    }

    for (size_t p = 0; p < kPanels && panel + p < panel_end; ++p) {
      for (size_t r = 0; r < kRows; ++r) {
        const v128_t scale = wasm_v128_load32_splat(in.scales + row + r);
        totals[p][r][0] = wasm_f32x4_mul(scale, totals[p][r][0]);
        totals[p][r][1] = wasm_f32x4_mul(scale, totals[p][r][1]);
      }
      const size_t column = (panel + p) * kPanelRows;
      const Destination to = {in.c, row, column, std::min(kPanelRows, in.w.rows() - column)};
      if constexpr (Dot::is_rare(kRows)) {
        finish_elsewhere<Arithmetic>(totals[p], epilogue, to);
      } else {
        finish<Arithmetic>(totals[p], epilogue, to);
      }
    }
  }
}

template <size_t kMaxRows>
inline void gemm_i8(const Tiles<OperandsI8, kMaxRows>& tiles, const OperandsI8& in, const Epilogue& epilogue,
                    PanelRange panels) {
  cover({0, in.rows, panels.begin, panels.end}, in.w.quads() * kPanelQuadBytes, tiles, in, epilogue);
}

}  // namespace quintet::generic
