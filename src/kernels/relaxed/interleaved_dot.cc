#include "kernels/relaxed/interleaved_dot.h"

#include "kernels/convolve_i8.h"

namespace quintet::relaxed {
namespace {

void multiply(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point, int32_t (*to)[kPanelRows]) {
  v128_t sums[1][kInterleavedWindows][2];
  FusedDot::run<kInterleavedWindows, 1>({q}, {{panel, {}}}, quads, sums);
  const int8_t* const weight_sums = panel + quads * kPanelQuadBytes;
  for (size_t h = 0; h < 2; ++h) {
    const v128_t offset = wasm_i32x4_mul(wasm_v128_load(weight_sums + 16 * h), wasm_i32x4_splat(zero_point));
    for (size_t r = 0; r < kInterleavedWindows; ++r) {
      wasm_v128_store(to[r] + 4 * h, wasm_i32x4_sub(sums[0][r][h], offset));
    }
  }
}

// Volatile, so that it stays a separate function, whose inner loop has all registers.
constexpr auto* volatile kMultiply = multiply;

}  // namespace

void multiply_interleaved(const uint8_t* q, const int8_t* panel, size_t quads, int32_t zero_point,
                          int32_t (*sums)[kPanelRows]) {
  kMultiply(q, panel, quads, zero_point, sums);
}

}  // namespace quintet::relaxed
