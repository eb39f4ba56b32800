#include "kernels/generic/pointwise_i8.h"

#include "kernels/generic/loops.h"
#include "kernels/relaxed/interleaved_dot.h"
#include "kernels/relaxed/relaxed_dot.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// For processors without an instruction for quads: sums of pairs, which fit 16 bits, are widened at once. Half a panel
// at a time leaves registers for all pixels.
void multiply_pairs(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point,
                    int32_t (*to)[kPanelRows]) {
  const int8_t* const weight_sums = panel + quads * kPanelQuadBytes;
  QUINTET_KEEP_LOOP
  for (size_t half = 0; half < 2; ++half) {
    v128_t sums[kInterleavedWindows];
    generic::repeat<kInterleavedWindows>([&](size_t r) { sums[r] = wasm_i32x4_splat(0); });
    const uint8_t* x = q;
    for (const int8_t* w = panel + 16 * half; w < weight_sums; w += kPanelQuadBytes, x += generic::kPixelQuadBytes) {
      const v128_t weights = wasm_v128_load(w);
      generic::repeat<kInterleavedWindows>([&](size_t r) __attribute__((always_inline)) {
        const v128_t pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(weights, wasm_v128_load32_splat(x + r * kQuad));
        sums[r] = wasm_i32x4_add(sums[r], wasm_i32x4_extadd_pairwise_i16x8(pairs));
      });
    }
    generic::store_less_zero(sums, weight_sums + 16 * half, zero_point, to, 4 * half);
  }
}

}  // namespace

void pointwise_i8_fused(const PointwiseI8Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile) {
  generic::pointwise_i8(multiply_interleaved, operands, epilogue, tile);
}

void pointwise_i8_paired(const PointwiseI8Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile) {
  generic::pointwise_i8(multiply_pairs, operands, epilogue, tile);
}

void pointwise_i8(const PointwiseI8Operands& operands, const FloatEpilogue& epilogue, const ConvTile& tile) {
  generic::MultiplyPanel* const multiply = relaxed_dot() == RelaxedDot::paired ? multiply_pairs : multiply_interleaved;
  generic::pointwise_i8(multiply, operands, epilogue, tile);
}

}  // namespace quintet::relaxed
