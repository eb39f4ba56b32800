#include "kernels/generic/gemm_blocks.h"

#include <type_traits>

#include "kernels/generic/loops.h"
#include "kernels/relaxed/arithmetic.h"
#include "kernels/relaxed/dot_form.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// Products of int8 activations, the first operand, with unsigned weights below 2^5, the second operand, which is the
// 7-bit side. Sums of a block are kept in 16 bits, where they may wrap temporarily: they start with the offset of the
// weights, so the final value is a sum of at most 16 products q * a, and 16 * 16 * 127 < 2^15.
struct PairedDot {
  static v128_t start(const ByteActivation& q, uint32_t offset_bits) {
    const v128_t pairs = wasm_v128_load32_splat(q.negative_pairs);
    return offset_bits == 3 ? pairs : wasm_i16x8_shl(pairs, offset_bits - 3);
  }
  static v128_t add(v128_t activations, v128_t weights, v128_t sums) {
    return wasm_i16x8_add(sums, wasm_i16x8_relaxed_dot_i8x16_i7x16(activations, weights));
  }
  static v128_t end(v128_t sums) { return wasm_i32x4_extadd_pairwise_i16x8(sums); }
};

// The same in one instruction, if the processor has it.
struct FusedDot {
  static v128_t start(const ByteActivation& q, uint32_t offset_bits) {
    return wasm_i32x4_shl(wasm_v128_load32_splat(&q.negative_sum), offset_bits);
  }
  static v128_t add(v128_t activations, v128_t weights, v128_t sums) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(activations, weights, sums);
  }
  static v128_t end(v128_t sums) { return sums; }
};

// The sums of a row.
template <class Instruction, BlockBits kBits>
struct Sums {
  using Weights = generic::QuadWeights<kBits>;

  void start(const ByteActivation& q) { halves[0] = halves[1] = Instruction::start(q, Weights::kOffsetBits); }
  void add(v128_t activations, const Weights& weights) {
    for (size_t h = 0; h < 2; ++h) halves[h] = Instruction::add(activations, weights.halves[h], halves[h]);
  }
  v128_t end(size_t h) const { return Instruction::end(halves[h]); }

  v128_t halves[2];
};

// For the paired dot, eight bits are two planes of four, q + 128 = 16 * high + low, of which the upper gets the whole
// offset.
struct Planes {
  explicit Planes(const generic::QuadWeights<BlockBits::eight>& bytes) {
    for (size_t h = 0; h < 2; ++h) generic::split_nibbles(bytes.halves[h], low[h], high[h]);
  }
  Planes(const std::byte* record, size_t quads, size_t quad)
      : Planes(generic::QuadWeights<BlockBits::eight>(record, quads, quad)) {}

  v128_t low[2], high[2];
};

template <>
struct Sums<PairedDot, BlockBits::eight> {
  using Instruction = PairedDot;
  using Weights = Planes;

  void start(const ByteActivation& q) {
    low[0] = low[1] = wasm_i32x4_splat(0);
    high[0] = high[1] = Instruction::start(q, 3);
  }
  void add(v128_t activations, const Weights& weights) {
    for (size_t h = 0; h < 2; ++h) {
      low[h] = Instruction::add(activations, weights.low[h], low[h]);
      high[h] = Instruction::add(activations, weights.high[h], high[h]);
    }
  }
  v128_t end(size_t h) const {
    return wasm_i32x4_add(Instruction::end(low[h]), wasm_i32x4_shl(Instruction::end(high[h]), 4));
  }

  v128_t low[2], high[2];
};

template <class Instruction, BlockBits kBits>
struct Dot {
  using Block = ByteActivation;
  static constexpr size_t kBand = kBlockBand;

  template <size_t kQuads, size_t kRows>
  [[gnu::always_inline]] void run(const Block* q, const std::byte* record, size_t quads,
                                  v128_t (&dots)[kRows][2]) const {
    using S = Sums<Instruction, kBits>;
    constexpr size_t kStep = kQuads == 0 ? 1 : 2;
    S sums[kRows];
    for (size_t r = 0; r < kRows; ++r) sums[r].start(q[r]);
    generic::in_steps<kStep>(quads, [&](size_t i) __attribute__((always_inline)) {
      const typename S::Weights weights(record, quads, i);
      for (size_t r = 0; r < kRows; ++r) sums[r].add(wasm_v128_load32_splat(q[r].q + i * kQuad), weights);
    });
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t h = 0; h < 2; ++h) dots[r][h] = sums[r].end(h);
    }
  }
};

// Weights of 8 bits as the second operand of a fused dot, which takes the whole byte: unsigned, u = q + 128, or signed,
// q.
class FusedBytesDot {
 public:
  using Block = ByteActivation;
  static constexpr size_t kBand = kBlockBand;

  template <size_t kQuads, size_t kRows>
  [[gnu::always_inline]] void run(const Block* q, const std::byte* record, size_t quads,
                                  v128_t (&dots)[kRows][2]) const {
    using Weights = generic::QuadWeights<BlockBits::eight>;
    for (size_t r = 0; r < kRows; ++r) {
      dots[r][0] = dots[r][1] = wasm_v128_and(FusedDot::start(q[r], Weights::kOffsetBits), offset_mask_);
    }
    generic::in_steps<2>(quads, [&](size_t i) __attribute__((always_inline)) {
      Weights weights(record, quads, i);
      for (v128_t& half : weights.halves) half = wasm_v128_xor(half, flipped_bits_);
      for (size_t r = 0; r < kRows; ++r) {
        const v128_t activations = wasm_v128_load32_splat(q[r].q + i * kQuad);
        for (size_t h = 0; h < 2; ++h) dots[r][h] = FusedDot::add(activations, weights.halves[h], dots[r][h]);
      }
    });
  }

 private:
  const bool is_signed_ = dot_form() == DotForm::fused_signed;
  const v128_t flipped_bits_ = wasm_i8x16_splat(is_signed_ ? -128 : 0);
  const v128_t offset_mask_ = wasm_i32x4_splat(is_signed_ ? 0 : -1);
};

// The fused dot is only for the block sizes of most models; elsewhere it would double the code for little benefit.
template <class Instruction, BlockBits kBits, bool kWhole>
using DotFor = std::conditional_t<kWhole && kBits == BlockBits::eight && std::is_same_v<Instruction, FusedDot>,
                                  FusedBytesDot, Dot<std::conditional_t<kWhole, Instruction, PairedDot>, kBits>>;

template <class Instruction>
struct Tiles {
  static constexpr size_t kBand = kBlockBand;

  template <BlockBits kBits, size_t kQuads, size_t kRows>
  static constexpr auto kTile =
      generic::tile_blocks<Arithmetic, DotFor<Instruction, kBits, kQuads != 0>, kQuads, kRows>;

  template <BlockBits kBits>
  static constexpr generic::Tiles<generic::OperandsBlocks, 4> whole = {
      kTile<kBits, generic::kWholeBlockQuads, 1>, kTile<kBits, generic::kWholeBlockQuads, 2>,
      kTile<kBits, generic::kWholeBlockQuads, 3>, kTile<kBits, generic::kWholeBlockQuads, 4>};
  template <BlockBits kBits>
  static constexpr generic::Tiles<generic::OperandsBlocks, 2> any = {kTile<kBits, 0, 1>, kTile<kBits, 0, 2>};
};

}  // namespace

void gemm_blocks_fused(const std::byte* q, const BlockMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                       const GemmTile& tile) {
  generic::gemm_blocks<Tiles<FusedDot>>({q, w, c, c_stride}, epilogue, tile);
}

void gemm_blocks_paired(const std::byte* q, const BlockMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                        const GemmTile& tile) {
  generic::gemm_blocks<Tiles<PairedDot>>({q, w, c, c_stride}, epilogue, tile);
}

void gemm_blocks(const std::byte* q, const BlockMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue,
                 const GemmTile& tile) {
  GemmBlocks* const faster = dot_form() == DotForm::paired ? gemm_blocks_paired : gemm_blocks_fused;
  faster(q, w, c, c_stride, epilogue, tile);
}

}  // namespace quintet::relaxed
