#include "kernels/generic/gemm_blocks.h"

#include <type_traits>

#include "kernels/generic/loops.h"
#include "kernels/relaxed/arithmetic.h"
#include "kernels/relaxed/relaxed_dot.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// Products of int8 activations, the first operand, with unsigned weights below 2^6, the second operand, which is the
// 7-bit side.

v128_t paired_dot(v128_t activations, v128_t weights, v128_t sums) {
  return wasm_i16x8_add(sums, wasm_i16x8_relaxed_dot_i8x16_i7x16(activations, weights));
}

// Does that in one instruction, if the processor has it.
v128_t fused_dot(v128_t activations, v128_t weights, v128_t sums) {
  return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(activations, weights, sums);
}

// The integer scales of a super-block's block, each for two sums of 16 bits.
struct PairedScales {
  [[gnu::always_inline]] explicit PairedScales(const std::byte* p) {
    const v128_t words = wasm_i16x8_load8x8(p);
    halves[0] = wasm_i16x8_shuffle(words, words, 0, 0, 1, 1, 2, 2, 3, 3);
    halves[1] = wasm_i16x8_shuffle(words, words, 4, 4, 5, 5, 6, 6, 7, 7);
  }

  v128_t halves[2];
};

// The dots of rows of a block, of weights of up to six bits. Its sums are kept in 16 bits, two for each dot, where they
// may wrap temporarily: they start with the offset of the weights, so the final value is a sum of at most 16 products
// q * a, and 16 * 16 * 127 < 2^15. With 6 bits it is one of 8, and 8 * 32 * 127 < 2^15. Sums of products u * a of 4
// bits fit as well, 16 * 15 * 127 < 2^15, but not those of 5.
template <BlockBits kBits, size_t kRows>
class PairedDots {
 public:
  using Scales = PairedScales;

  PairedDots(const ByteActivation* q, v128_t offset_mask) : q_(q), offset_mask_(offset_mask) {
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t offset = this->offset(r);
      sums_[r][0] = sums_[r][1] = kBits == BlockBits::four ? wasm_v128_and(offset, offset_mask) : offset;
    }
  }

  void add(size_t r, size_t h, v128_t activations, v128_t weights, const generic::BitMasks&) {
    sums_[r][h] = paired_dot(activations, weights, sums_[r][h]);
  }
  v128_t integers(size_t r, size_t h) const { return wasm_i32x4_extadd_pairwise_i16x8(sums_[r][h]); }
  v128_t scaled(size_t r, size_t h, const PairedScales& scales) const {
    const v128_t products = wasm_i32x4_dot_i16x8(sums_[r][h], scales.halves[h]);
    if constexpr (kBits != BlockBits::five) return products;
    // Sums of unsigned weights have no offset.
    const v128_t offset = wasm_v128_andnot(this->offset(r), offset_mask_);
    return wasm_i32x4_sub(products, wasm_i32x4_dot_i16x8(offset, scales.halves[h]));
  }

 private:
  v128_t offset(size_t r) const {
    constexpr uint32_t kShift = generic::offset_bits(kBits) - 3;
    const v128_t pairs = wasm_v128_load32_splat(q_[r].negative_pairs);
    return kShift == 0 ? pairs : wasm_i16x8_shl(pairs, kShift);
  }

  const ByteActivation* q_;
  v128_t offset_mask_;
  v128_t sums_[kRows][2];
};

// Eight bits are two planes of four, q + 128 = 16 * high + low, of which the upper gets the whole offset.
template <size_t kRows>
class PairedDots<BlockBits::eight, kRows> {
 public:
  using Scales = generic::WideScales;

  PairedDots(const ByteActivation* q, v128_t offset_mask) {
    for (size_t r = 0; r < kRows; ++r) {
      low_[r][0] = low_[r][1] = wasm_i32x4_splat(0);
      high_[r][0] = high_[r][1] = wasm_v128_and(wasm_v128_load32_splat(q[r].negative_pairs), offset_mask);
    }
  }

  void add(size_t r, size_t h, v128_t activations, v128_t weights, const generic::BitMasks& masks) {
    v128_t low, high;
    generic::split_nibbles(weights, masks, low, high);
    low_[r][h] = paired_dot(activations, low, low_[r][h]);
    high_[r][h] = paired_dot(activations, high, high_[r][h]);
  }
  v128_t integers(size_t r, size_t h) const {
    const v128_t upper = wasm_i32x4_extadd_pairwise_i16x8(high_[r][h]);
    return wasm_i32x4_add(wasm_i32x4_extadd_pairwise_i16x8(low_[r][h]), wasm_i32x4_shl(upper, 4));
  }
  v128_t scaled(size_t r, size_t h, const generic::WideScales& scales) const {
    return wasm_i32x4_mul(integers(r, h), scales.halves[h]);
  }

 private:
  v128_t low_[kRows][2], high_[kRows][2];
};

template <BlockBits kBits, size_t kRows>
class FusedDots : public generic::WideDots<kRows> {
 public:
  using Scales = generic::WideScales;

  FusedDots(const ByteActivation* q, v128_t offset_mask) {
    for (size_t r = 0; r < kRows; ++r) {
      const v128_t offset = wasm_i32x4_shl(wasm_v128_load32_splat(&q[r].negative_sum), generic::offset_bits(kBits));
      this->sums[r][0] = this->sums[r][1] = wasm_v128_and(offset, offset_mask);
    }
  }

  void add(size_t r, size_t h, v128_t activations, v128_t weights, const generic::BitMasks&) {
    this->sums[r][h] = fused_dot(activations, weights, this->sums[r][h]);
  }
};

// `Dots<bits, rows>` are one of these.
template <template <BlockBits, size_t> class Dots, BlockBits kBits>
class Dot {
 public:
  using Block = ByteActivation;
  using Scales = typename Dots<kBits, 1>::Scales;
  static constexpr size_t kBand = kBlockBand;
  static constexpr bool kOnlySuperBlocks = kBits == BlockBits::six;

  explicit Dot(const generic::RecordParts& w) : offset_mask_(generic::opaque_splat(w.offset_mask)) {}

  template <size_t kQuads, size_t kRows>
  [[gnu::always_inline]] Dots<kBits, kRows> run(const Block* q, const std::byte* record, size_t quads) const {
    // With 5 bits, one row is 10 to 20 % faster without a loop; with 4 and 8 bits, there is less to unpack. Fused dots
    // were not measured.
    constexpr bool kLong =
        std::is_same_v<Dots<kBits, 1>, PairedDots<kBits, 1>> && kBits == BlockBits::five && kRows == 1;
    Dots<kBits, kRows> dots(q, offset_mask_);
    generic::each_quad<kBits, kQuads, kLong>(
        record, quads, masks_, [&](size_t quad, size_t half, v128_t weights) __attribute__((always_inline)) {
          for (size_t r = 0; r < kRows; ++r) {
            dots.add(r, half, wasm_v128_load32_splat(q[r].q + quad * kQuad), weights, masks_);
          }
        });
    return dots;
  }

 private:
  const v128_t offset_mask_;
  const generic::BitMasks masks_;
};

// Weights of 8 bits as the second operand of a fused dot, which reads the whole byte: unsigned, u = q + 128, or signed,
// q.
class FusedBytesDot {
 public:
  using Block = ByteActivation;
  using Scales = generic::WideScales;
  static constexpr size_t kBand = kBlockBand;
  static constexpr bool kOnlySuperBlocks = false;

  explicit FusedBytesDot(const generic::RecordParts&) {}

  template <size_t kQuads, size_t kRows>
  [[gnu::always_inline]] FusedDots<BlockBits::eight, kRows> run(const Block* q, const std::byte* record,
                                                                size_t quads) const {
    FusedDots<BlockBits::eight, kRows> dots(q, offset_mask_);
    generic::each_quad<BlockBits::eight, kQuads, false>(
        record, quads, masks_, [&](size_t quad, size_t half, v128_t weights) __attribute__((always_inline)) {
          const v128_t bytes = wasm_v128_xor(weights, flipped_bits_);
          for (size_t r = 0; r < kRows; ++r) {
            dots.add(r, half, wasm_v128_load32_splat(q[r].q + quad * kQuad), bytes, masks_);
          }
        });
    return dots;
  }

 private:
  const generic::BitMasks masks_;
  const bool is_signed_ = relaxed_dot() == RelaxedDot::fused_signed;
  const v128_t flipped_bits_ = wasm_i8x16_splat(is_signed_ ? -128 : 0);
  const v128_t offset_mask_ = wasm_i32x4_splat(is_signed_ ? 0 : -1);
};

// The fused dot is only for the block sizes of most models; elsewhere it would double the code for little benefit.
template <template <BlockBits, size_t> class Dots, BlockBits kBits, bool kWhole>
using DotFor = std::conditional_t<
    kWhole,
    std::conditional_t<std::is_same_v<Dots<kBits, 1>, FusedDots<BlockBits::eight, 1>>, FusedBytesDot, Dot<Dots, kBits>>,
    Dot<PairedDots, kBits>>;

template <template <BlockBits, size_t> class Dots>
struct Tiles {
  static constexpr size_t kBand = kBlockBand;

  template <BlockBits kBits, size_t kQuads, size_t kRows>
  static constexpr auto kTile = generic::tile_blocks<Arithmetic, DotFor<Dots, kBits, kQuads != 0>, kQuads, kRows>;

  // There is no tile of three rows, which are few among those of a prompt.
  template <BlockBits kBits>
  static constexpr generic::Tiles<GemmBlocksOperands, 4> whole = {
      kTile<kBits, generic::kWholeBlockQuads<kBits>, 1>, kTile<kBits, generic::kWholeBlockQuads<kBits>, 2>, nullptr,
      kTile<kBits, generic::kWholeBlockQuads<kBits>, 4>};
  template <BlockBits kBits>
  static constexpr generic::Tiles<GemmBlocksOperands, 2> any = {kTile<kBits, 0, 1>, kTile<kBits, 0, 2>};
};

}  // namespace

void gemm_blocks_fused(const GemmBlocksOperands& operands, const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_blocks<Tiles<FusedDots>>(operands, epilogue, tile);
}

void gemm_blocks_paired(const GemmBlocksOperands& operands, const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_blocks<Tiles<PairedDots>>(operands, epilogue, tile);
}

void gemm_blocks(const GemmBlocksOperands& operands, const Epilogue& epilogue, const GemmTile& tile) {
  GemmBlocks* const faster = relaxed_dot() == RelaxedDot::paired ? gemm_blocks_paired : gemm_blocks_fused;
  faster(operands, epilogue, tile);
}

}  // namespace quintet::relaxed
