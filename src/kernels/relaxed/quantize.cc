#include "kernels/generic/quantize.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// Plain bytes: the operand of the 8-bit dot product.
struct RowFormat {
  static constexpr size_t kQuadBytes = kQuad;
  static constexpr size_t kTileRows = kGemmI8Rows;

  static void put16(uint8_t* q, size_t stride, v128_t a, v128_t b, v128_t c, v128_t d) {
    const v128_t quads = wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(a, b), wasm_i16x8_narrow_i32x4(c, d));
    wasm_v128_store32_lane(q, quads, 0);
    wasm_v128_store32_lane(q + stride, quads, 1);
    wasm_v128_store32_lane(q + 2 * stride, quads, 2);
    wasm_v128_store32_lane(q + 3 * stride, quads, 3);
  }
  static void put4(uint8_t* q, v128_t a) {
    const v128_t words = wasm_i16x8_narrow_i32x4(a, a);
    wasm_v128_store32_lane(q, wasm_u8x16_narrow_i16x8(words, words), 0);
  }
};

struct BlockFormat {
  using Integer = int8_t;
  static constexpr size_t kBand = kBlockBand;

  static void put(int8_t* q, v128_t quad) {
    const v128_t words = wasm_i16x8_narrow_i32x4(quad, quad);
    wasm_v128_store32_lane(q, wasm_i8x16_narrow_i16x8(words, words), 0);
  }
};

}  // namespace

void quantize_rows(const float* x, size_t x_stride, size_t rows, size_t cols, size_t groups, uint8_t* q,
                   float* scales) {
  generic::quantize_rows<RowFormat>(x, x_stride, rows, cols, groups, q, scales);
}

void quantize_blocks(const float* x, size_t x_stride, size_t begin, size_t end, size_t cols, BlockGroups groups,
                     std::byte* q) {
  generic::quantize_blocks<BlockFormat>(x, x_stride, begin, end, cols, groups, q);
}

}  // namespace quintet::relaxed
