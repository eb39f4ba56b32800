#include "kernels/generic/gemm_i8.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// Both sides are widened to 16 bits, where one instruction multiplies and adds pairs. A vector of sums holds two
// halves of two outputs, so that a panel takes four of them per row.
struct Dot {
  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void run(const uint8_t* const (&q)[kRows], const int8_t* const (&w)[kPanels],
                                                size_t quads, v128_t (&sums)[kPanels][kRows][2]) {
    v128_t halves[kPanels][kRows][4];
    for (auto& panel_halves : halves) {
      for (auto& row_halves : panel_halves) {
        for (v128_t& pair : row_halves) pair = wasm_i32x4_splat(0);
      }
    }
    for (size_t i = 0; i < quads; ++i) step(q, w, i, halves);
    for (size_t p = 0; p < kPanels; ++p) {
      for (size_t r = 0; r < kRows; ++r) {
        sums[p][r][0] = add_halves(halves[p][r][0], halves[p][r][1]);
        sums[p][r][1] = add_halves(halves[p][r][2], halves[p][r][3]);
      }
    }
  }

 private:
  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void step(const uint8_t* const (&q)[kRows], const int8_t* const (&w)[kPanels],
                                                 size_t i, v128_t (&halves)[kPanels][kRows][4]) {
    v128_t x[kRows];
    for (size_t r = 0; r < kRows; ++r) x[r] = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_splat(q[r] + i * kQuad));
    for (size_t p = 0; p < kPanels; ++p) {
      for (size_t j = 0; j < 4; ++j) {
        const v128_t weights = wasm_i16x8_load8x8(w[p] + i * generic::kPanelQuadBytes + j * 8);
        for (size_t r = 0; r < kRows; ++r) {
          halves[p][r][j] = wasm_i32x4_add(halves[p][r][j], wasm_i32x4_dot_i16x8(weights, x[r]));
        }
      }
    }
  }

  static v128_t add_halves(v128_t a, v128_t b) {
    return wasm_i32x4_add(wasm_i32x4_shuffle(a, b, 0, 2, 4, 6), wasm_i32x4_shuffle(a, b, 1, 3, 5, 7));
  }
};

constexpr size_t kMostRows = 3;

}  // namespace

void gemm_i8(const uint8_t* q, const float* scales, const PackedMatrix& w, float* c, size_t c_stride,
             const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_i8<Arithmetic, Dot, kMostRows>({q, scales, w, c, c_stride}, epilogue, tile);
}

}  // namespace quintet::simd128
