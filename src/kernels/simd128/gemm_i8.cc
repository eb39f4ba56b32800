#include "kernels/generic/gemm_i8.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// Both sides are widened to 16 bits, because one instruction multiplies and adds pairs of 16-bit values. Even and odd
// elements of a quad are separated; for weights, shifts do that in place, so that each sum belongs to one output.
struct Dot {
  static constexpr size_t kQuadBytes = kSplitQuadBytes;
  static constexpr bool is_rare(size_t) { return false; }

  template <size_t kRows, size_t kPanels>
  [[gnu::always_inline]] static inline void run(const ActivationTile& activations,
                                                const PackedMatrix::Group (&w)[kPanels], size_t quads,
                                                v128_t (&sums)[kPanels][kRows][2]) {
    for (auto& panel_sums : sums) {
      for (auto& row_sums : panel_sums) row_sums[0] = row_sums[1] = wasm_i32x4_splat(0);
    }
    const int8_t* weights[kPanels];
    for (size_t p = 0; p < kPanels; ++p) weights[p] = w[p].quads;
    const uint8_t* q = activations.q;
    for (const uint8_t* const end = q + quads * kRows * kQuadBytes; q != end; q += kRows * kQuadBytes) {
      for (size_t p = 0; p < kPanels; ++p) {
        step(q, weights[p], sums[p]);
        weights[p] += kPanelQuadBytes;
      }
    }
  }

 private:
  template <size_t kRows>
  [[gnu::always_inline]] static inline void step(const uint8_t* q, const int8_t* w, v128_t (&sums)[kRows][2]) {
    const v128_t weights[2] = {wasm_v128_load(w), wasm_v128_load(w + 16)};
    v128_t even[2], odd[2];
    for (size_t j = 0; j < 2; ++j) {
      even[j] = wasm_i16x8_shr(wasm_i16x8_shl(weights[j], 8), 8);
      odd[j] = wasm_i16x8_shr(weights[j], 8);
    }
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t x_even = wasm_v128_load32_splat(q + r * kQuadBytes);
      const v128_t x_odd = wasm_v128_load32_splat(q + r * kQuadBytes + 4);
      for (size_t j = 0; j < 2; ++j) {
        sums[r][j] = wasm_i32x4_add(sums[r][j], wasm_i32x4_dot_i16x8(even[j], x_even));
        sums[r][j] = wasm_i32x4_add(sums[r][j], wasm_i32x4_dot_i16x8(odd[j], x_odd));
      }
    }
  }
};

template <size_t kRows, size_t kPanels>
constexpr auto kTile = generic::tile_i8<Arithmetic, Dot, kRows, kPanels>;

// Six sums, four vectors of weights, two of activations and two products. With eight sums one would be spilled, once
// per step, which costs more than an additional row gains.
constexpr generic::Tiles<generic::OperandsI8, kGemmI8Rows> kTiles = {kTile<1, 4>, kTile<2, 1>, kTile<3, 1>};

}  // namespace

void gemm_i8(const GemmI8Operands& operands, const Epilogue& epilogue, PanelRange panels) {
  generic::gemm_i8(kTiles, {operands, nullptr}, epilogue, panels);
}

}  // namespace quintet::simd128
