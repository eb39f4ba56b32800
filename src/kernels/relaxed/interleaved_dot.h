#pragma once
// Products of interleaved rows of activations with panels of 8-bit weights.

#include <algorithm>
#include <cstdint>

#include "kernels/wasm_simd.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::relaxed {

// Multiplies a quad of activations with the quads of four outputs. The order of operands matters: the second one is the
// 7-bit side, and only in that range do all engines agree.
struct FusedDot {
  static v128_t add(v128_t weights, v128_t activations, v128_t sums) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(weights, activations, sums);
  }
};

// The same in three steps. The sum of two products fits 16 bits: 2 * 128 * 127 < 2^15.
struct PairedDot {
  static v128_t add(v128_t weights, v128_t activations, v128_t sums) {
    const v128_t pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(weights, activations);
    return wasm_i32x4_add(sums, wasm_i32x4_extadd_pairwise_i16x8(pairs));
  }
};

template <class Instruction>
struct InterleavedDot {
  static constexpr size_t kQuadBytes = kQuad;
  static constexpr size_t kPanelQuadBytes = kPanelRows * kQuad;

  // sums[panel][row]: kRows rows times the eight outputs of each panel.
  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void run(const uint8_t* q, const int8_t* const (&w)[kPanels], size_t quads,
                                                v128_t (&sums)[kPanels][kRows][2]) {
    for (auto& panel_sums : sums) {
      for (auto& row_sums : panel_sums) row_sums[0] = row_sums[1] = wasm_i32x4_splat(0);
    }
    const int8_t* weights[kPanels];
    std::copy_n(w, kPanels, weights);
    for (const uint8_t* const end = q + quads * kRows * kQuadBytes; q != end; q += kRows * kQuadBytes) {
      step(q, weights, sums);
      for (const int8_t*& panel : weights) panel += kPanelQuadBytes;
    }
  }

 private:
  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void step(const uint8_t* q, const int8_t* const (&w)[kPanels],
                                                 v128_t (&sums)[kPanels][kRows][2]) {
    v128_t low[kPanels], high[kPanels];
    for (size_t p = 0; p < kPanels; ++p) {
      low[p] = wasm_v128_load(w[p]);
      high[p] = wasm_v128_load(w[p] + 16);
    }
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t x = wasm_v128_load32_splat(q + r * kQuadBytes);
      for (size_t p = 0; p < kPanels; ++p) {
        sums[p][r][0] = Instruction::add(low[p], x, sums[p][r][0]);
        sums[p][r][1] = Instruction::add(high[p], x, sums[p][r][1]);
      }
    }
  }
};

// sums [kInterleavedWindows][kPanelRows]: the products of windows and a panel that interleave_windows and
// interleave_panels made, with a fused dot.
void multiply_interleaved(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point,
                          int32_t (*sums)[kPanelRows]);

}  // namespace quintet::relaxed
