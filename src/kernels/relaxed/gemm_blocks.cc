#include "kernels/generic/gemm_blocks.h"

#include <type_traits>

#include "kernels/generic/loops.h"
#include "kernels/relaxed/arithmetic.h"
#include "kernels/relaxed/dot_form.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

// Products of int8 activations, the first operand, with unsigned weights below 2^6, the second operand, which is the
// 7-bit side. Sums of a block are kept in 16 bits, where they may wrap temporarily: they start with the offset of the
// weights, so the final value is a sum of at most 16 products q * a, and 16 * 16 * 127 < 2^15. With 6 bits it is one of
// 8, and 8 * 32 * 127 < 2^15.
struct PairedDot {
  template <BlockBits kBits>
  static v128_t start(const ByteActivation& q, v128_t offset_mask) {
    constexpr uint32_t kShift = generic::QuadWeights<kBits>::kOffsetBits - 3;
    const v128_t pairs = wasm_v128_load32_splat(q.negative_pairs);
    const v128_t offset = kShift == 0 ? pairs : wasm_i16x8_shl(pairs, kShift);
    return kBits == BlockBits::five ? offset : wasm_v128_and(offset, offset_mask);
  }
  static v128_t add(v128_t activations, v128_t weights, v128_t sums) {
    return wasm_i16x8_add(sums, wasm_i16x8_relaxed_dot_i8x16_i7x16(activations, weights));
  }
  template <BlockBits kBits>
  static v128_t end(v128_t sums, const ByteActivation& q, v128_t offset_mask) {
    const v128_t dots = wasm_i32x4_extadd_pairwise_i16x8(sums);
    if constexpr (kBits != BlockBits::five) return dots;
    // Sums of products u * a of 4 bits fit as well, 16 * 15 * 127 < 2^15, but not those of 5.
    const v128_t offset = wasm_i32x4_shl(wasm_v128_load32_splat(&q.negative_sum), 4);
    return wasm_i32x4_sub(dots, wasm_v128_andnot(offset, offset_mask));
  }
};

// The same in one instruction, if the processor has it.
struct FusedDot {
  template <BlockBits kBits>
  static v128_t start(const ByteActivation& q, v128_t offset_mask) {
    constexpr uint32_t kShift = generic::QuadWeights<kBits>::kOffsetBits;
    return wasm_v128_and(wasm_i32x4_shl(wasm_v128_load32_splat(&q.negative_sum), kShift), offset_mask);
  }
  static v128_t add(v128_t activations, v128_t weights, v128_t sums) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(activations, weights, sums);
  }
  template <BlockBits kBits>
  static v128_t end(v128_t sums, const ByteActivation&, v128_t) {
    return sums;
  }
};

// The sums of a row.
template <class Instruction, BlockBits kBits>
struct Sums {
  using Weights = generic::QuadWeights<kBits>;

  void start(const ByteActivation& q, v128_t offset_mask) {
    halves[0] = halves[1] = Instruction::template start<kBits>(q, offset_mask);
  }
  void add(v128_t activations, const Weights& weights) {
    for (size_t h = 0; h < 2; ++h) halves[h] = Instruction::add(activations, weights.halves[h], halves[h]);
  }
  v128_t end(size_t h, const ByteActivation& q, v128_t offset_mask) const {
    return Instruction::template end<kBits>(halves[h], q, offset_mask);
  }

  v128_t halves[2];
};

// For the paired dot, eight bits are two planes of four, q + 128 = 16 * high + low, of which the upper gets the whole
// offset.
struct Planes {
  [[gnu::always_inline]] Planes(const std::byte* record, size_t quads, size_t quad, const generic::BitMasks& masks) {
    const generic::QuadWeights<BlockBits::eight> bytes(record, quads, quad, masks);
    for (size_t h = 0; h < 2; ++h) generic::split_nibbles(bytes.halves[h], masks, low[h], high[h]);
  }

  v128_t low[2], high[2];
};

template <>
struct Sums<PairedDot, BlockBits::eight> {
  using Instruction = PairedDot;
  using Weights = Planes;

  static constexpr BlockBits kPlane = BlockBits::four;

  void start(const ByteActivation& q, v128_t offset_mask) {
    low[0] = low[1] = wasm_i32x4_splat(0);
    high[0] = high[1] = Instruction::start<kPlane>(q, offset_mask);
  }
  void add(v128_t activations, const Weights& weights) {
    for (size_t h = 0; h < 2; ++h) {
      low[h] = Instruction::add(activations, weights.low[h], low[h]);
      high[h] = Instruction::add(activations, weights.high[h], high[h]);
    }
  }
  v128_t end(size_t h, const ByteActivation& q, v128_t offset_mask) const {
    const v128_t upper = Instruction::end<kPlane>(high[h], q, offset_mask);
    return wasm_i32x4_add(Instruction::end<kPlane>(low[h], q, offset_mask), wasm_i32x4_shl(upper, 4));
  }

  v128_t low[2], high[2];
};

template <class Instruction, BlockBits kBits>
class Dot {
 public:
  using Block = ByteActivation;
  static constexpr size_t kBand = kBlockBand;

  explicit Dot(const generic::RecordParts& w) : offset_mask_(generic::opaque_splat(w.offset_mask)) {}

  template <size_t kQuads, size_t kRows>
  [[gnu::always_inline]] void run(const Block* q, const std::byte* record, size_t quads,
                                  v128_t (&dots)[kRows][2]) const {
    using S = Sums<Instruction, kBits>;
    // Code that gets 10 to 20 % faster without a loop: with 4 and 8 bits, there is less to unpack. Fused dots were not
    // measured.
    constexpr bool kIsLong =
        std::is_same_v<Instruction, PairedDot> && (kBits == BlockBits::five || kBits == BlockBits::six);
    S sums[kRows];
    for (size_t r = 0; r < kRows; ++r) sums[r].start(q[r], offset_mask_);
    const auto step = [&](size_t i) __attribute__((always_inline)) {
      const typename S::Weights weights(record, kQuads == 0 ? quads : kQuads, i, masks_);
      for (size_t r = 0; r < kRows; ++r) sums[r].add(wasm_v128_load32_splat(q[r].q + i * kQuad), weights);
    };
    if constexpr (kQuads == 0) {
      generic::in_steps<1>(quads, step);
    } else if constexpr (kRows == 1 && kIsLong) {
      generic::in_branches<2, kQuads>(quads, step);
    } else {
      generic::in_steps<2>(kQuads, step);
    }
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t h = 0; h < 2; ++h) dots[r][h] = sums[r].end(h, q[r], offset_mask_);
    }
  }

 private:
  const v128_t offset_mask_;
  const generic::BitMasks masks_;
};

// Weights of 8 bits as the second operand of a fused dot, which takes the whole byte: unsigned, u = q + 128, or signed,
// q.
class FusedBytesDot {
 public:
  using Block = ByteActivation;
  static constexpr size_t kBand = kBlockBand;

  explicit FusedBytesDot(const generic::RecordParts&) {}

  template <size_t kQuads, size_t kRows>
  [[gnu::always_inline]] void run(const Block* q, const std::byte* record, size_t quads,
                                  v128_t (&dots)[kRows][2]) const {
    using Weights = generic::QuadWeights<BlockBits::eight>;
    for (size_t r = 0; r < kRows; ++r) {
      dots[r][0] = dots[r][1] = FusedDot::start<BlockBits::eight>(q[r], offset_mask_);
    }
    generic::in_steps<2>(kQuads, [&](size_t i) __attribute__((always_inline)) {
      Weights weights(record, quads, i, masks_);
      for (v128_t& half : weights.halves) half = wasm_v128_xor(half, flipped_bits_);
      for (size_t r = 0; r < kRows; ++r) {
        const v128_t activations = wasm_v128_load32_splat(q[r].q + i * kQuad);
        for (size_t h = 0; h < 2; ++h) dots[r][h] = FusedDot::add(activations, weights.halves[h], dots[r][h]);
      }
    });
  }

 private:
  const generic::BitMasks masks_;
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

  // None of three rows, which are few among those of a prompt.
  template <BlockBits kBits>
  static constexpr generic::Tiles<generic::OperandsBlocks, 4> whole = {
      kTile<kBits, generic::kWholeBlockQuads<kBits>, 1>, kTile<kBits, generic::kWholeBlockQuads<kBits>, 2>, nullptr,
      kTile<kBits, generic::kWholeBlockQuads<kBits>, 4>};
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
