#include "kernels/generic/quantize_blocks.h"

#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

struct Format {
  using Integer = int16_t;

  static void put(int16_t* q, v128_t quad) {
    const v128_t split = wasm_i32x4_shuffle(quad, quad, 0, 2, 1, 3);
    wasm_v128_store64_lane(q, wasm_i16x8_narrow_i32x4(split, split), 0);
  }
};

}  // namespace

void quantize_blocks(const float* x, size_t x_stride, size_t rows, size_t cols, size_t block, std::byte* q) {
  generic::quantize_blocks<Format>(x, x_stride, rows, cols, block, q);
}

}  // namespace quintet::simd128
