#include "kernels/generic/quantize_blocks.h"

#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

struct Format {
  using Integer = int8_t;

  static void put(int8_t* q, v128_t quad) {
    const v128_t words = wasm_i16x8_narrow_i32x4(quad, quad);
    wasm_v128_store32_lane(q, wasm_i8x16_narrow_i16x8(words, words), 0);
  }
};

}  // namespace

void quantize_blocks(const float* x, size_t x_stride, size_t rows, size_t cols, size_t block, std::byte* q) {
  generic::quantize_blocks<Format>(x, x_stride, rows, cols, block, q);
}

}  // namespace quintet::relaxed
