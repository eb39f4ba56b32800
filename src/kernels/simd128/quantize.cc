#include "kernels/generic/quantize.h"

#include "kernels/generic/static_epilogue.h"
#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

class Row {
 public:
  static constexpr size_t kQuadBytes = kSplitQuadBytes;
  static constexpr size_t kTileRows = kGemmI8Rows;

  explicit Row(const generic::TileRow& to) : q_(to.q), stride_(to.stride) {}

  void put16(v128_t a, v128_t b, v128_t c, v128_t d) {
    const v128_t ab = split(wasm_i16x8_narrow_i32x4(a, b));
    const v128_t cd = split(wasm_i16x8_narrow_i32x4(c, d));
    wasm_v128_store64_lane(q_, ab, 0);
    wasm_v128_store64_lane(q_ + stride_, ab, 1);
    wasm_v128_store64_lane(q_ + 2 * stride_, cd, 0);
    wasm_v128_store64_lane(q_ + 3 * stride_, cd, 1);
    q_ += 4 * stride_;
  }
  void put4(v128_t a) {
    wasm_v128_store64_lane(q_, split(wasm_i16x8_narrow_i32x4(a, a)), 0);
    q_ += stride_;
  }
  void end_group() {}

 private:
  // The order of the quads' elements: even ones first.
  static v128_t split(v128_t quads) { return wasm_i16x8_shuffle(quads, quads, 0, 2, 1, 3, 4, 6, 5, 7); }

  uint8_t* q_;
  size_t stride_;
};

struct BlockFormat {
  using Integer = int16_t;
  static constexpr size_t kBand = kBlockBand;

  static void put(int16_t* q, v128_t quad) {
    const v128_t split = wasm_i32x4_shuffle(quad, quad, 0, 2, 1, 3);
    wasm_v128_store64_lane(q, wasm_i16x8_narrow_i32x4(split, split), 0);
  }
};

struct StaticQuantizer {
  generic::Splat scale, low, high;

  // Four values as integers in floats.
  v128_t operator()(v128_t x, const generic::RoundingConstants& constants) const {
    const v128_t steps = wasm_f32x4_div(x, scale);
    const v128_t numbers = wasm_v128_and(steps, wasm_f32x4_eq(steps, steps));
    return generic::clamped(generic::round_half_away(numbers, constants), low, high);
  }
};

}  // namespace

void quantize_rows(const QuantizeRowsOperands& operands) { generic::quantize_rows<Row>(operands, nullptr); }

void quantize_blocks(const QuantizeBlocksOperands& operands) { generic::quantize_blocks<BlockFormat>(operands); }

void quantize_static(const float* x, size_t count, float scale, int32_t zero_point, int16_t* y) {
  const generic::RoundingConstants& constants = generic::loaded(generic::kRoundingConstants);
  const StaticQuantizer quantize = {scale, static_cast<float>(-zero_point), static_cast<float>(255 - zero_point)};
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const v128_t low = quantize(wasm_v128_load(x + i), constants);
    const v128_t high = quantize(wasm_v128_load(x + i + 4), constants);
    wasm_v128_store(y + i, generic::narrowed(low, high, constants));
  }
  for (size_t some; i < count; i += some) {
    some = count - i < 4 ? count - i : 4;
    const v128_t four = quantize(generic::load_some(x + i, some, 0), constants);
    generic::store_eight(y + i, some, generic::narrowed(four, four, constants));
  }
}

}  // namespace quintet::simd128
