#include "kernels/generic/gemm_i8.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// One instruction multiplies a quad of activations with the quads of four outputs. Operand order matters: the
// second one is the 7-bit side, and only in that range do all engines agree.
struct Dot {
  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void run(const uint8_t* const (&q)[kRows], const int8_t* const (&w)[kPanels],
                                                size_t quads, v128_t (&sums)[kPanels][kRows][2]) {
    for (auto& panel_sums : sums) {
      for (auto& row_sums : panel_sums) row_sums[0] = row_sums[1] = wasm_i32x4_splat(0);
    }
    size_t i = 0;
    for (; i + 2 <= quads; i += 2) {
      step(q, w, i, sums);
      step(q, w, i + 1, sums);
    }
    if (i < quads) step(q, w, i, sums);
  }

 private:
  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void step(const uint8_t* const (&q)[kRows], const int8_t* const (&w)[kPanels],
                                                 size_t i, v128_t (&sums)[kPanels][kRows][2]) {
    v128_t low[kPanels], high[kPanels];
    for (size_t p = 0; p < kPanels; ++p) {
      low[p] = wasm_v128_load(w[p] + i * generic::kPanelQuadBytes);
      high[p] = wasm_v128_load(w[p] + i * generic::kPanelQuadBytes + 16);
    }
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t x = wasm_v128_load32_splat(q[r] + i * kQuad);
      for (size_t p = 0; p < kPanels; ++p) {
        sums[p][r][0] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(low[p], x, sums[p][r][0]);
        sums[p][r][1] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(high[p], x, sums[p][r][1]);
      }
    }
  }
};

constexpr size_t kMostRows = 4;

}  // namespace

void gemm_i8(const uint8_t* q, const float* scales, const PackedMatrix& w, float* c, size_t c_stride,
             const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_i8<Arithmetic, Dot, kMostRows>({q, scales, w, c, c_stride}, epilogue, tile);
}

}  // namespace quintet::relaxed
