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
  using Scales = generic::WideScales;
  static constexpr size_t kBand = kBlockBand;
  static constexpr bool kOnlySuperBlocks = kBits == BlockBits::six;

  explicit Dot(const generic::RecordParts& w) : offset_mask_(wasm_i32x4_splat(w.offset_mask)) {}

  template <size_t kQuads, size_t kRows>
  [[gnu::always_inline]] generic::WideDots<kRows> run(const Block* q, const std::byte* record, size_t quads) const {
    generic::WideDots<kRows> dots;
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t start = wasm_i32x4_shl(wasm_v128_load32_splat(&q[r].negative_sum), generic::offset_bits(kBits));
      dots.sums[r][0] = dots.sums[r][1] = wasm_v128_and(start, offset_mask_);
    }
    generic::each_quad<kBits, kQuads, false>(
        record, quads, masks_, [&](size_t quad, size_t half, v128_t weights) __attribute__((always_inline)) {
          const v128_t even = wasm_v128_and(weights, wasm_i16x8_splat(0xff));
          const v128_t odd = wasm_u16x8_shr(weights, 8);
          for (size_t r = 0; r < kRows; ++r) {
            const v128_t x_even = wasm_v128_load32_splat(q[r].q + quad * kQuad);
            const v128_t x_odd = wasm_v128_load32_splat(q[r].q + quad * kQuad + 2);
            v128_t& sum = dots.sums[r][half];
            sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(even, x_even));
            sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(odd, x_odd));
          }
        });
    return dots;
  }

 private:
  const v128_t offset_mask_;
  const generic::BitMasks masks_;
};

template <BlockBits kBits, size_t kQuads, size_t kRows>
constexpr auto kTile = generic::tile_blocks<Arithmetic, Dot<kBits>, kQuads, kRows>;

struct Tiles {
  static constexpr size_t kBand = kBlockBand;

  template <BlockBits kBits>
  static constexpr generic::Tiles<GemmBlocksOperands, 3> whole = {kTile<kBits, generic::kWholeBlockQuads<kBits>, 1>,
                                                                  kTile<kBits, generic::kWholeBlockQuads<kBits>, 2>,
                                                                  kTile<kBits, generic::kWholeBlockQuads<kBits>, 3>};
  template <BlockBits kBits>
  static constexpr generic::Tiles<GemmBlocksOperands, 3> any = {kTile<kBits, 0, 1>, kTile<kBits, 0, 2>,
                                                                kTile<kBits, 0, 3>};
};

}  // namespace

void gemm_blocks(const GemmBlocksOperands& operands, const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_blocks<Tiles>(operands, epilogue, tile);
}

}  // namespace quintet::simd128
