#include "kernels/generic/gemm_i8.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/relaxed/dot_form.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

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
struct Dot {
  static constexpr size_t kQuadBytes = kQuad;

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
      for (const int8_t*& panel : weights) panel += generic::kPanelQuadBytes;
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

template <class Instruction, size_t kRows, size_t kPanels>
constexpr auto kTile = generic::tile_i8<Arithmetic, Dot<Instruction>, kRows, kPanels>;

constexpr generic::Tiles<generic::OperandsI8, kFusedRows> kFusedTiles = {kTile<FusedDot, 1, 4>, kTile<FusedDot, 2, 2>,
                                                                         kTile<FusedDot, 3, 1>, kTile<FusedDot, 4, 1>,
                                                                         kTile<FusedDot, 5, 1>, kTile<FusedDot, 6, 1>};
constexpr generic::Tiles<generic::OperandsI8, kPairedRows> kPairedTiles = {
    kTile<PairedDot, 1, 4>, kTile<PairedDot, 2, 2>, kTile<PairedDot, 3, 1>, kTile<PairedDot, 4, 1>,
    kTile<PairedDot, 5, 1>};

}  // namespace

void gemm_i8_fused(const uint8_t* q, const float* scales, size_t rows, const PackedMatrix& w, PanelRange panels,
                   float* c, size_t c_stride, const Epilogue& epilogue) {
  generic::gemm_i8({q, scales, w, c, c_stride}, kFusedTiles, epilogue, rows, panels);
}

void gemm_i8_paired(const uint8_t* q, const float* scales, size_t rows, const PackedMatrix& w, PanelRange panels,
                    float* c, size_t c_stride, const Epilogue& epilogue) {
  generic::gemm_i8({q, scales, w, c, c_stride}, kPairedTiles, epilogue, rows, panels);
}

void gemm_i8(const uint8_t* q, const float* scales, size_t rows, const PackedMatrix& w, PanelRange panels, float* c,
             size_t c_stride, const Epilogue& epilogue) {
  GemmI8* const faster = dot_form() == DotForm::paired ? gemm_i8_paired : gemm_i8_fused;
  faster(q, scales, rows, w, panels, c, c_stride, epilogue);
}

}  // namespace quintet::relaxed
