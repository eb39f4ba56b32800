#pragma once
// Products of interleaved rows of activations with panels of 8-bit weights.
//
// The order of operands matters: the second one is the 7-bit side, and only in that range do all engines agree.

#include <cstdint>

#include "kernels/generic/loops.h"
#include "kernels/quantize.h"
#include "kernels/wasm_simd.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::relaxed {

constexpr size_t kHalfPanelQuadBytes = kPanelQuadBytes / 2;

// sums[panel][row][half]: of kRows rows, with four outputs of each panel.
template <size_t kRows, size_t kPanels>
using DotSums = v128_t[kPanels][kRows][2];

template <size_t kRows, size_t kPanels>
[[gnu::always_inline]] inline void clear(DotSums<kRows, kPanels>& sums) {
  for (auto& panel_sums : sums) {
    for (auto& row_sums : panel_sums) row_sums[0] = row_sums[1] = wasm_i32x4_splat(0);
  }
}

// One instruction multiplies a quad of activations with the quads of four outputs and adds the products.
struct FusedDot {
  static constexpr size_t kQuadBytes = kQuad;
  static constexpr bool is_rare(size_t rows) { return rows < 4; }

  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void run(const ActivationTile& activations,
                                                const PackedMatrix::Group (&w)[kPanels], size_t quads,
                                                DotSums<kRows, kPanels>& sums) {
    clear<kRows, kPanels>(sums);
    const uint8_t* q = activations.q;
    const int8_t* weights[kPanels];
    for (size_t p = 0; p < kPanels; ++p) weights[p] = w[p].quads;
    for (const uint8_t* const end = q + quads * kRows * kQuadBytes; q != end; q += kRows * kQuadBytes) {
      step<kRows, kPanels>(q, weights, sums);
      for (const int8_t*& panel : weights) panel += kPanelQuadBytes;
    }
  }

 private:
  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void step(const uint8_t* q, const int8_t* const (&w)[kPanels],
                                                 DotSums<kRows, kPanels>& sums) {
    v128_t low[kPanels], high[kPanels];
    for (size_t p = 0; p < kPanels; ++p) {
      low[p] = wasm_v128_load(w[p]);
      high[p] = wasm_v128_load(w[p] + kHalfPanelQuadBytes);
    }
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t x = wasm_v128_load32_splat(q + r * kQuadBytes);
      for (size_t p = 0; p < kPanels; ++p) {
        sums[p][r][0] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(low[p], x, sums[p][r][0]);
        sums[p][r][1] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(high[p], x, sums[p][r][1]);
      }
    }
  }
};

// Multiplies in steps, for processors without such an instruction. Widening is a multiplication, too, so the products
// of a block are added in 16 bits first, around their center. Half a panel at a time leaves registers for the sums of
// many rows.
struct PairedDot {
  static constexpr size_t kQuadBytes = kQuad;
  static constexpr bool is_rare(size_t rows) { return rows < 4; }

  template <size_t kRows>
  [[gnu::always_inline]] static inline void run(const ActivationTile& activations, const PackedMatrix::Group (&w)[1],
                                                size_t quads, DotSums<kRows, 1>& sums) {
    QUINTET_KEEP_LOOP
    for (size_t half = 0; half < 2; ++half) {
      v128_t half_sums[kRows];
      for (v128_t& sum : half_sums) sum = wasm_v128_load(w[0].sums.starts + half * kPanelRows / 2);
      add_blocks(activations.q, w[0].quads + half * kHalfPanelQuadBytes, w[0].sums.centers + half * kPanelRows,
                 quads / SumCenters::kQuads, half_sums);
      for (size_t r = 0; r < kRows; ++r) sums[0][r][half] = half_sums[r];
    }
    correct(activations, kRows, w[0], quads, sums[0]);
  }

 private:
  // Quads at a time: each further one needs a register for its weights.
  static constexpr size_t kStep = 2;

  // The sum of two products fits 16 bits: 2 * 128 * 127 < 2^15.
  static v128_t multiply(v128_t weights, v128_t activations) {
    return wasm_i16x8_relaxed_dot_i8x16_i7x16(weights, activations);
  }

  static v128_t widen(v128_t products) { return wasm_i32x4_extadd_pairwise_i16x8(products); }

  // Half of the centers of four outputs, which fits 16 bits.
  static v128_t load_half_centers(const int8_t* centers) {
    static_assert(SumCenters::kUnit / 2 == 256);
    return wasm_i8x16_shuffle(wasm_i32x4_splat(0), wasm_v128_load64_zero(centers), 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,
                              21, 6, 22, 7, 23);
  }

  template <size_t kRows>
  [[gnu::always_inline]] static inline void add_blocks(const uint8_t* q, const int8_t* w, const int8_t* centers,
                                                       size_t blocks, v128_t (&sums)[kRows]) {
    for (const uint8_t* const end = q + blocks * SumCenters::kQuads * kRows * kQuadBytes; q != end;) {
      const v128_t half_centers = load_half_centers(centers);
      v128_t products[kRows];
      for (v128_t& sum : products) sum = wasm_i16x8_add(half_centers, half_centers);
      centers += 2 * kPanelRows;
      // A loop, at whose ends V8 has all sums: of a longer chain it would compute each where its end is used, with
      // the weights of all quads in registers.
      QUINTET_KEEP_LOOP
      for (size_t i = 0; i < SumCenters::kQuads; i += kStep) {
        v128_t weights[kStep];
        for (v128_t& quad : weights) {
          quad = wasm_v128_load(w);
          w += kPanelQuadBytes;
        }
        generic::repeat<kRows>([&](size_t r) __attribute__((always_inline)) {
          for (size_t j = 0; j < kStep; ++j) {
            const v128_t activations = wasm_v128_load32_splat(q + j * kRows * kQuadBytes);
            products[r] = wasm_i16x8_add(products[r], multiply(weights[j], activations));
          }
          // Hidden, so that all rows have the same offsets: V8 adds each to the address in its own instruction.
          q += kQuadBytes;
          asm("" : "+r"(q));
        });
        q += (kStep - 1) * kRows * kQuadBytes;
      }
      for (size_t r = 0; r < kRows; ++r) sums[r] = wasm_i32x4_add(sums[r], widen(products[r]));
    }
  }

  // Computes blocks again whose sums may not fit 16 bits, and adds the quads that belong to no block. The tiles, of
  // which there are many, do not contain it, since such blocks are rare.
  static void correct(const ActivationTile& activations, size_t rows, const PackedMatrix::Group& w, size_t quads,
                      v128_t (*sums)[2]);
  // Does so for the rows whose sums may not fit.
  static void replace_wide_block(const ActivationTile& activations, size_t rows, const PackedMatrix::Group& w,
                                 size_t block, v128_t (*sums)[2]);
  // Replaces the sum of a row and four outputs.
  static void replace_block(const uint8_t* q, size_t rows, const int8_t* weights, const int8_t* centers, v128_t& sum);
};

// sums [kInterleavedWindows][kPanelRows]: the products of windows and a panel that interleave_windows and
// interleave_panels made, with a fused dot.
void multiply_interleaved(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point,
                          int32_t (*sums)[kPanelRows]);

}  // namespace quintet::relaxed
