#include "kernels/generic/quantize.h"

#include <algorithm>

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// Stores plain bytes, the operand of the 8-bit dot product, and the squares that PairedDot needs.
class Row {
 public:
  static constexpr size_t kQuadBytes = kQuad;
  static constexpr size_t kTileRows = kGemmI8Rows;

  explicit Row(const generic::TileRow& to) : to_(to) {}

  void put16(v128_t a, v128_t b, v128_t c, v128_t d) {
    const v128_t ab = wasm_i16x8_narrow_i32x4(a, b), cd = wasm_i16x8_narrow_i32x4(c, d);
    const v128_t quads = wasm_u8x16_narrow_i16x8(ab, cd);
    wasm_v128_store32_lane(to_.q, quads, 0);
    wasm_v128_store32_lane(to_.q + to_.stride, quads, 1);
    wasm_v128_store32_lane(to_.q + 2 * to_.stride, quads, 2);
    wasm_v128_store32_lane(to_.q + 3 * to_.stride, quads, 3);
    to_.q += 4 * to_.stride;
    add_squares(quads, 4);
  }
  void put4(v128_t a) {
    const v128_t words = wasm_i16x8_narrow_i32x4(a, wasm_i32x4_splat(kActivationZero));
    const v128_t quad = wasm_u8x16_narrow_i16x8(words, wasm_i16x8_splat(kActivationZero));
    wasm_v128_store32_lane(to_.q, quad, 0);
    to_.q += to_.stride;
    add_squares(quad, 1);
  }
  // Quads that are left belong to no block.
  void end_group() { start_block(); }

 private:
  void start_block() {
    sums_ = wasm_i16x8_splat(0);
    quads_ = 0;
  }

  // Adds the squares of the first `count` of four quads; the others are zero.
  void add_squares(v128_t quads, size_t count) {
    static_assert(SumCenters::kQuads * 2 * 63 * 63 <= UINT16_MAX);
    const v128_t magnitudes = wasm_i8x16_abs(wasm_i8x16_sub(quads, wasm_i8x16_splat(kActivationZero)));
    sums_ = wasm_i16x8_add(sums_, wasm_i16x8_relaxed_dot_i8x16_i7x16(magnitudes, magnitudes));
    quads_ += count;
    if (quads_ < SumCenters::kQuads) return;
    v128_t sums = wasm_i16x8_add(sums_, wasm_i32x4_shuffle(sums_, sums_, 2, 3, 0, 1));
    sums = wasm_i16x8_add(sums, wasm_i32x4_shuffle(sums, sums, 1, 0, 3, 2));
    const auto largest = std::max(wasm_u16x8_extract_lane(sums, 0), wasm_u16x8_extract_lane(sums, 1));
    *to_.squares++ = static_cast<float>(largest);
    start_block();
  }

  generic::TileRow to_;
  // The sums of the quads of a block so far: of columns {0, 1}, and of columns {2, 3}.
  v128_t sums_ = wasm_i16x8_splat(0);
  size_t quads_ = 0;
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

void quantize_rows(const QuantizeRowsOperands& in) {
  const generic::ColumnGroups columns = {in.groups, in.cols / in.groups};
  generic::quantize_rows<Row>(in, squares_of(in.q, in.rows, in.groups * columns.quads()));
}

void quantize_blocks(const QuantizeBlocksOperands& operands) { generic::quantize_blocks<BlockFormat>(operands); }

}  // namespace quintet::relaxed
