#include "kernels/generic/gemm_blocks.h"

#include "kernels/generic/loops.h"
#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// Weights are widened to 16 bits, with even and odd columns of a quad separated, because one instruction multiplies and
// adds pairs of 16-bit values.
template <BlockBits kBits>
class Dot {
 public:
  using Block = WordActivation;
  static constexpr size_t kBand = kBlockBand;
  using Weights = generic::QuadWeights<kBits>;

  explicit Dot(const generic::RecordParts& w) : offset_mask_(wasm_i32x4_splat(w.offset_mask)) {}

  template <size_t kQuads, size_t kRows>
  [[gnu::always_inline]] void run(const Block* q, const std::byte* record, size_t quads,
                                  v128_t (&dots)[kRows][2]) const {
    constexpr size_t kStep = kQuads == 0 ? 1 : 2;
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t start = wasm_i32x4_shl(wasm_v128_load32_splat(&q[r].negative_sum), Weights::kOffsetBits);
      dots[r][0] = dots[r][1] = wasm_v128_and(start, offset_mask_);
    }
    generic::in_steps<kStep>(kQuads == 0 ? quads : kQuads, [&](size_t i) __attribute__((always_inline)) {
      step(q, Weights(record, quads, i, masks_), i, dots);
    });
  }

 private:
  template <size_t kRows>
  [[gnu::always_inline]] static inline void step(const Block* q, const Weights& weights, size_t i,
                                                 v128_t (&dots)[kRows][2]) {
    v128_t even[2], odd[2];
    for (size_t h = 0; h < 2; ++h) {
      even[h] = wasm_v128_and(weights.halves[h], wasm_i16x8_splat(0xff));
      odd[h] = wasm_u16x8_shr(weights.halves[h], 8);
    }
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t x_even = wasm_v128_load32_splat(q[r].q + i * kQuad);
      const v128_t x_odd = wasm_v128_load32_splat(q[r].q + i * kQuad + 2);
      for (size_t h = 0; h < 2; ++h) {
        dots[r][h] = wasm_i32x4_add(dots[r][h], wasm_i32x4_dot_i16x8(even[h], x_even));
        dots[r][h] = wasm_i32x4_add(dots[r][h], wasm_i32x4_dot_i16x8(odd[h], x_odd));
      }
    }
  }

  const v128_t offset_mask_;
  const generic::BitMasks masks_;
};

template <BlockBits kBits, size_t kQuads, size_t kRows>
constexpr auto kTile = generic::tile_blocks<Arithmetic, Dot<kBits>, kQuads, kRows>;

struct Tiles {
  static constexpr size_t kBand = kBlockBand;

  template <BlockBits kBits>
  static constexpr generic::Tiles<generic::OperandsBlocks, 3> whole = {
      kTile<kBits, generic::kWholeBlockQuads<kBits>, 1>, kTile<kBits, generic::kWholeBlockQuads<kBits>, 2>,
      kTile<kBits, generic::kWholeBlockQuads<kBits>, 3>};
  template <BlockBits kBits>
  static constexpr generic::Tiles<generic::OperandsBlocks, 3> any = {kTile<kBits, 0, 1>, kTile<kBits, 0, 2>,
                                                                     kTile<kBits, 0, 3>};
};

}  // namespace

void gemm_blocks(const std::byte* q, const BlockMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                 const GemmTile& tile) {
  generic::gemm_blocks<Tiles>({q, w, c, c_stride}, epilogue, tile);
}

}  // namespace quintet::simd128
