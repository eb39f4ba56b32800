#include "kernels/relaxed/interleaved_dot.h"

#include "kernels/convolve_i8.h"

namespace quintet::relaxed {
namespace {

void multiply(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point, int32_t (*to)[kPanelRows]) {
  v128_t sums[1][kInterleavedWindows][2];
  FusedDot::run<kInterleavedWindows, 1>(q, {{panel, {}}}, quads, sums);
  const int8_t* const weight_sums = panel + quads * kPanelQuadBytes;
  for (size_t h = 0; h < 2; ++h) {
    const v128_t offset = wasm_i32x4_mul(wasm_v128_load(weight_sums + 16 * h), wasm_i32x4_splat(zero_point));
    for (size_t r = 0; r < kInterleavedWindows; ++r) {
      wasm_v128_store(to[r] + 4 * h, wasm_i32x4_sub(sums[0][r][h], offset));
    }
  }
}

// Volatile, so that it stays a function of its own, whose inner loop has all registers.
constexpr auto* volatile kMultiply = multiply;

}  // namespace

void multiply_interleaved(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point,
                          int32_t (*sums)[kPanelRows]) {
  kMultiply(q, panel, quads, zero_point, sums);
}

void PairedDot::add_rest(const uint8_t* q, size_t rows, const HalfPanel& panel, size_t quads, v128_t* sums) {
  const auto products = [&](size_t quad, size_t row) {
    return multiply(wasm_v128_load(panel.weights + quad * kPanelQuadBytes),
                    wasm_v128_load32_splat(q + (quad * rows + row) * kQuadBytes));
  };
  for (size_t row = 0; row < rows; ++row, sums += 2) {
    v128_t sum = *sums;
    for (size_t i = quads / SumCenters::kQuads * SumCenters::kQuads; i < quads; ++i) {
      sum = wasm_i32x4_add(sum, widen(products(i, row)));
    }
    for (size_t block = 0; block < quads / SumCenters::kQuads; ++block) {
      if ((panel.wide[block] & panel.wide_bit) == 0) continue;
      v128_t wrapped = wasm_i32x4_splat(0);
      for (size_t i = block * SumCenters::kQuads; i < (block + 1) * SumCenters::kQuads; ++i) {
        const v128_t quad = products(i, row);
        sum = wasm_i32x4_add(sum, widen(quad));
        wrapped = wasm_i16x8_add(wrapped, quad);
      }
      sum = wasm_i32x4_sub(sum, widen(wrapped));
    }
    *sums = sum;
  }
}

}  // namespace quintet::relaxed
