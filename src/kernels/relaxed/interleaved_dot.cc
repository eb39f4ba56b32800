#include "kernels/relaxed/interleaved_dot.h"

#include <algorithm>
#include <bit>

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

void PairedDot::add_wide_blocks(const uint8_t* q, size_t rows, const PackedMatrix::Group& w, size_t half, size_t quads,
                                v128_t* sums) {
  static_assert(SumCenters::kQuads == 4);
  const int8_t* const panel = w.quads + half * kHalfPanelQuadBytes;
  const v128_t zero_point = wasm_i8x16_splat(kActivationZero);
  for (size_t word = 0; word < w.sums.words; ++word) {
    for (uint64_t left = w.sums.wide[half][word]; left != 0; left &= left - 1) {
      const size_t begin = (64 * word + static_cast<size_t>(std::countr_zero(left))) * SumCenters::kQuads;
      v128_t weights[SumCenters::kQuads];
      const uint8_t* activations[SumCenters::kQuads];
      for (size_t i = 0; i < SumCenters::kQuads; ++i) {
        const size_t quad = std::min(begin + i, quads - 1);
        activations[i] = q + quad * rows * kQuadBytes;
        weights[i] = quad == begin + i ? wasm_v128_load(panel + quad * kPanelQuadBytes) : wasm_i32x4_splat(0);
      }
      // Sums of four products fit 16 bits around 64 * (sum of the weights): 4 * 128 * 63 < 2^15.
      const auto offset = [&](size_t i) {
        return wasm_i16x8_add(multiply(weights[i], zero_point), multiply(weights[i + 1], zero_point));
      };
      const v128_t offsets[2] = {offset(0), offset(2)};
      const v128_t start = wasm_i32x4_add(widen(offsets[0]), widen(offsets[1]));
      const bool is_block = quads - begin >= SumCenters::kQuads;
      for (size_t row = 0; row < rows; ++row) {
        const auto product = [&](size_t i) {
          return multiply(weights[i], wasm_v128_load32_splat(activations[i] + row * kQuadBytes));
        };
        const v128_t first = wasm_i16x8_add(product(0), product(1)), second = wasm_i16x8_add(product(2), product(3));
        v128_t sum = wasm_i32x4_add(sums[2 * row], start);
        sum = wasm_i32x4_add(sum, widen(wasm_i16x8_sub(first, offsets[0])));
        sum = wasm_i32x4_add(sum, widen(wasm_i16x8_sub(second, offsets[1])));
        sums[2 * row] = is_block ? wasm_i32x4_sub(sum, widen(wasm_i16x8_add(first, second))) : sum;
      }
    }
  }
}

}  // namespace quintet::relaxed
