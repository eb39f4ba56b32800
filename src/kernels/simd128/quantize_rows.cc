#include "kernels/generic/quantize.h"

#include "kernels/simd128/activations.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

struct Format {
  static constexpr size_t kQuadBytes = kSplitQuadBytes;

  static void put16(uint8_t* q, v128_t a, v128_t b, v128_t c, v128_t d) {
    wasm_v128_store(q, split(wasm_i16x8_narrow_i32x4(a, b)));
    wasm_v128_store(q + 16, split(wasm_i16x8_narrow_i32x4(c, d)));
  }
  static void put4(uint8_t* q, v128_t a) { wasm_v128_store64_lane(q, split(wasm_i16x8_narrow_i32x4(a, a)), 0); }

 private:
  // The order of the quads' elements: even ones first.
  static v128_t split(v128_t quads) { return wasm_i16x8_shuffle(quads, quads, 0, 2, 1, 3, 4, 6, 5, 7); }
};

}  // namespace

void quantize_rows(const float* x, size_t x_stride, size_t rows, size_t cols, size_t groups, uint8_t* q,
                   float* scales) {
  generic::quantize_rows<Format>(x, x_stride, rows, cols, groups, q, scales);
}

}  // namespace quintet::simd128
