#pragma once
// The GEMM of weights and activations that are both quantized in blocks. The dot products of a block are exact; the
// float steps are the same in every variant.

#include "kernels/gemm_blocks.h"
#include "kernels/generic/epilogue.h"
#include "kernels/generic/loops.h"
#include "kernels/generic/tiles.h"
#include "kernels/quantize.h"

namespace quintet::generic {

// Masks of the parts of a value in a byte. Unpackers of weights hold them, so that they stay in registers.
struct BitMaskConstants {
  SplatBits nibble = 0x0f0f0f0f;
  SplatBits fifth = 0x10101010;
  SplatBits six = 0x3f3f3f3f;
  SplatBits middle_pair = 0x0c0c0c0c;
};
inline constexpr BitMaskConstants kBitMaskConstants;

struct BitMasks {
  explicit BitMasks(const BitMaskConstants& constants = loaded(kBitMaskConstants))
      : nibble(constants.nibble), fifth(constants.fifth), six(constants.six), middle_pair(constants.middle_pair) {}

  v128_t nibble, fifth, six, middle_pair;
};

// u = q + (1 << this), unless weights are unsigned.
constexpr uint32_t offset_bits(BlockBits bits) { return static_cast<uint32_t>(bits) - 1; }

// `halves` [0] holds u of rows 0 to 3 of the panel, [1] that of rows 4 to 7: a row's four columns together.
template <BlockBits kBits>
struct QuadWeights;

// Pairs of nibbles in bytes.
[[gnu::always_inline]] inline void split_nibbles(v128_t bytes, const BitMasks& masks, v128_t& low, v128_t& high) {
  low = wasm_v128_and(bytes, masks.nibble);
  high = wasm_v128_and(wasm_u16x8_shr(bytes, 4), masks.nibble);
}

template <>
struct QuadWeights<BlockBits::four> {
  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t, size_t quad, const BitMasks& masks) {
    split_nibbles(wasm_v128_load(record + quad * 16), masks, halves[0], halves[1]);
  }

  v128_t halves[2];
};

template <>
struct QuadWeights<BlockBits::five> {
  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t quads, size_t quad, const BitMasks& masks) {
    split_nibbles(wasm_v128_load(record + quad * 16), masks, halves[0], halves[1]);
    // Two quads at a time have fixed positions in the lower half of a byte.
    const uint32_t of_four = static_cast<uint32_t>(quad % 4);
    const v128_t bits = wasm_u16x8_shr(wasm_v128_load(record + (quads + quad / 4) * 16), of_four / 2 * 4);
    for (uint32_t half = 0; half < 2; ++half) {
      // Bits that would cross a byte border must not end up at bit 4.
      const v128_t shifted = wasm_i16x8_shl(bits, 4 - of_four % 2 * 2 - half);
      halves[half] = wasm_v128_or(halves[half], wasm_v128_and(shifted, masks.fifth));
    }
  }

  v128_t halves[2];
};

// Four rows of a whole block of 6 bits: four quads in three vectors.
struct SixBitWeights {
  static constexpr size_t kQuads = BlockMatrix::kSixBitBlock / kQuad;

  [[gnu::always_inline]] SixBitWeights(const std::byte* record, size_t half, const BitMasks& masks) {
    const v128_t* const bytes = reinterpret_cast<const v128_t*>(record) + half;
    const v128_t first = wasm_v128_load(bytes), second = wasm_v128_load(bytes + 2), third = wasm_v128_load(bytes + 4);
    quads[0] = wasm_v128_and(first, masks.six);
    quads[1] = wasm_v128_and(second, masks.six);
    quads[2] = wasm_v128_and(third, masks.six);
    const v128_t upper = wasm_u16x8_shr(wasm_v128_andnot(first, masks.six), 2);
    const v128_t middle = wasm_v128_and(wasm_u16x8_shr(second, 4), masks.middle_pair);
    const v128_t lower = wasm_u16x8_shr(wasm_v128_andnot(third, masks.six), 6);
    quads[3] = wasm_v128_or(wasm_v128_or(upper, middle), lower);
  }

  v128_t quads[kQuads];
};

template <>
struct QuadWeights<BlockBits::eight> {
  [[gnu::always_inline]] QuadWeights(const std::byte* record, size_t, size_t quad, const BitMasks&)
      : halves{wasm_v128_load(record + quad * 32), wasm_v128_load(record + quad * 32 + 16)} {}

  v128_t halves[2];
};

// body(quad, half, weights) for all weights of a block, `quads` long or kQuads if that is not 0. kLong: no loop,
// where the body is so long that this is faster.
template <BlockBits kBits, size_t kQuads, bool kLong, class Body>
[[gnu::always_inline]] inline void each_quad(const std::byte* record, size_t quads, const BitMasks& masks, Body body) {
  if constexpr (kBits == BlockBits::six) {
    for (size_t h = 0; h < 2; ++h) {
      const SixBitWeights weights(record, h, masks);
      repeat<SixBitWeights::kQuads>([&](size_t i) __attribute__((always_inline)) { body(i, h, weights.quads[i]); });
    }
  } else {
    const auto step = [&](size_t i) __attribute__((always_inline)) {
      const QuadWeights<kBits> weights(record, kQuads == 0 ? quads : kQuads, i, masks);
      for (size_t h = 0; h < 2; ++h) body(i, h, weights.halves[h]);
    };
    if constexpr (kQuads == 0) {
      in_steps<1>(quads, step);
    } else if constexpr (kLong) {
      in_branches<2, kQuads>(quads, step);
    } else {
      in_steps<2>(kQuads, step);
    }
  }
}

// Converts four finite halves to floats: their bits fit a float whose exponent is then too small by 112.
inline v128_t load_halves(const std::byte* p) {
  const v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4(p), 13);
  const v128_t small = wasm_v128_and(bits, wasm_i32x4_splat(static_cast<int32_t>(0x8fffffff)));
  return wasm_f32x4_mul(small, wasm_f32x4_splat(0x1p112f));
}

// The integer scales of a super-block's block, as factors of dots that are 32-bit integers.
struct WideScales {
  [[gnu::always_inline]] explicit WideScales(const std::byte* p) {
    const v128_t words = wasm_i16x8_load8x8(p);
    halves[0] = wasm_i32x4_extend_low_i16x8(words);
    halves[1] = wasm_i32x4_extend_high_i16x8(words);
  }

  v128_t halves[2];
};

// The dots of rows as 32-bit integers.
template <size_t kRows>
struct WideDots {
  v128_t integers(size_t r, size_t h) const { return sums[r][h]; }
  v128_t scaled(size_t r, size_t h, const WideScales& scales) const {
    return wasm_i32x4_mul(sums[r][h], scales.halves[h]);
  }

  v128_t sums[kRows][2];
};

// The parts of a record as plain values: each call of a function of the matrix would be code in every tile.
struct RecordParts {
  [[gnu::noinline]] explicit RecordParts(const BlockMatrix& w)
      : bytes(w.record_bytes()),
        scales(w.scales_at()),
        offsets(w.offsets_at()),
        panel_bytes(w.panel_bytes()),
        blocks(w.blocks()),
        quads(w.block_quads()),
        super_blocks(w.layout().has_super_blocks()),
        together(super_blocks ? w.super_block() : blocks),
        super_block_bytes(w.super_block_bytes()),
        half_scales(w.layout().scale_dtype == Dtype::f16),
        has_offsets(w.layout().has_offsets),
        offset_mask(super_blocks && has_offsets ? 0 : -1) {}

  [[gnu::always_inline]] void load_scales(const std::byte* record, v128_t (&out)[2]) const {
    const std::byte* p = record + scales;
    out[0] = half_scales ? load_halves(p) : wasm_v128_load(p);
    out[1] = half_scales ? load_halves(p + 8) : wasm_v128_load(p + 16);
  }

  // The size of a record, and where its parts are.
  size_t bytes;
  size_t scales;
  size_t offsets;
  size_t panel_bytes;
  size_t blocks;  // of a row
  size_t quads;   // of a block
  bool super_blocks;
  size_t together;  // blocks whose sum is kept in registers: a super-block, or all
  size_t super_block_bytes;
  bool half_scales;
  bool has_offsets;
  // 0 if weights are unsigned: in super-blocks with offsets. Otherwise dots start with an offset for u.
  int32_t offset_mask;
};

// Not inlined, because LLVM would mask numbers before they become vectors, in more instructions.
[[gnu::noinline]] inline v128_t opaque_splat(int32_t value) { return wasm_i32x4_splat(value); }

// The number of quads in the blocks of most matrices, for which loops are unrolled.
template <BlockBits kBits>
constexpr size_t kWholeBlockQuads =
    (kBits == BlockBits::six ? BlockMatrix::kSixBitBlock : BlockMatrix::kMaxBlock) / kQuad;

// sums += exact dots of a block, times both scales; and its offsets, times the sums of the activations.
template <class Dots, class Block, size_t kRows>
[[gnu::always_inline]] inline void add_block(const Dots& dots, const Block* q, const std::byte* record,
                                             const RecordParts& parts, v128_t (&sums)[kRows][2]) {
  v128_t scales[2];
  parts.load_scales(record, scales);
  for (size_t r = 0; r < kRows; ++r) {
    const v128_t scale = wasm_v128_load32_splat(&q[r].scale);
    for (size_t h = 0; h < 2; ++h) {
      const v128_t dot = wasm_f32x4_convert_i32x4(dots.integers(r, h));
      sums[r][h] = wasm_f32x4_add(sums[r][h], wasm_f32x4_mul(dot, wasm_f32x4_mul(scales[h], scale)));
    }
  }
  if (!parts.has_offsets) return;
  for (size_t r = 0; r < kRows; ++r) {
    const v128_t negative_sum = wasm_f32x4_convert_i32x4(wasm_v128_load32_splat(&q[r].negative_sum));
    const v128_t scaled_sum = wasm_f32x4_mul(negative_sum, wasm_v128_load32_splat(&q[r].scale));
    for (size_t h = 0; h < 2; ++h) {
      const v128_t offsets = wasm_v128_load(record + parts.offsets + h * 16);
      sums[r][h] = wasm_f32x4_sub(sums[r][h], wasm_f32x4_mul(offsets, scaled_sum));
    }
  }
}

// The sums of a tile, in memory.
template <size_t kRows>
using TileSums = v128_t[kRows][2];

// A sum of integers as a float, times the unit and the scale of the activations.
[[gnu::always_inline]] inline v128_t times_units(v128_t sum, v128_t unit, v128_t scale) {
  return wasm_f32x4_mul(wasm_f32x4_mul(unit, scale), wasm_f32x4_convert_i32x4(sum));
}

// totals += the sums of a super-block, which are integers, times its units, - those of its offsets; its parameters are
// at `p`. Called so rarely that it need not be part of every tile.
template <size_t kBand, class Block, size_t kRows>
[[gnu::noinline]] void add_super_block(const TileSums<kRows>& sums, const Block* q, const std::byte* p,
                                       const BlockMatrix& w, TileSums<kRows>& totals) {
  const std::byte* const units = p + w.units_at();
  v128_t scales[kRows];
  for (size_t r = 0; r < kRows; ++r) scales[r] = wasm_v128_load32_splat(&q[r].scale);
  for (size_t h = 0; h < 2; ++h) {
    const v128_t unit = load_halves(units + h * 8);
    for (size_t r = 0; r < kRows; ++r) {
      totals[r][h] = wasm_f32x4_add(totals[r][h], times_units(sums[r][h], unit, scales[r]));
    }
  }
  if (!w.layout().has_offsets) return;
  v128_t offsets[kRows][2];
  for (auto& of_row : offsets) of_row[0] = of_row[1] = wasm_i32x4_splat(0);
  QUINTET_KEEP_LOOP
  for (; p < units; q += 2 * kBand, p += 2 * kPanelRows) {
    for (size_t h = 0; h < 2; ++h) {
      const v128_t of_pair = wasm_u16x8_load8x8(p + h * kPanelRows);
      for (size_t r = 0; r < kRows; ++r) {
        const v128_t pair_sums = wasm_v128_load32_splat(q[r].pair_sums);
        offsets[r][h] = wasm_i32x4_add(offsets[r][h], wasm_i32x4_dot_i16x8(of_pair, pair_sums));
      }
    }
  }
  for (size_t h = 0; h < 2; ++h) {
    const v128_t unit = load_halves(units + 16 + h * 8);
    for (size_t r = 0; r < kRows; ++r) {
      totals[r][h] = wasm_f32x4_sub(totals[r][h], times_units(offsets[r][h], unit, scales[r]));
    }
  }
}

// `Dot(parts).run<kQuads, kRows>(q, record, quads)` returns the dot products of a block of each of kRows rows of a band
// with the eight rows of the record: `integers(row, half)`, or, times the Scales of a super-block's block, `scaled(row,
// half, scales)`. kQuads is the number of quads, or 0 to use `quads`. Panels are processed one at a time even for a
// single row, which would benefit from more of them: memory is read half as fast in two streams. Loops must not be
// empty. This is not checked, because the check would be more code than the loops.
template <class Arithmetic, class Dot, size_t kQuads, size_t kRows>
void tile_blocks(const GemmBlocksOperands& in, size_t row, size_t panel, size_t count, const Epilogue& epilogue) {
  using Block = typename Dot::Block;
  const RecordParts parts(in.w);
  const bool super_blocks = Dot::kOnlySuperBlocks || parts.super_blocks;
  const Dot dot(parts);
  const size_t panel_end = panel + count;
  const Block* const rows = &BlockRow<const Block, Dot::kBand>(in.q, row, parts.blocks)[0];
  const std::byte* record = in.w.panel(0) + panel * parts.panel_bytes;
  do {
    const Block* q = rows;
    const Block* const q_end = q + parts.blocks * Dot::kBand;
    alignas(16) TileSums<kRows> finished, totals = {};
    do {
      const Block* const first = q;
      const Block* const end = q + parts.together * Dot::kBand;
      v128_t sums[kRows][2];  // integers in super-blocks, otherwise floats
      for (auto& row_sums : sums) row_sums[0] = row_sums[1] = wasm_f32x4_splat(0);
      do {
        const auto dots = dot.template run<kQuads, kRows>(q, record, parts.quads);
        if (super_blocks) {
          const typename Dot::Scales scales(record + parts.scales);
          for (size_t r = 0; r < kRows; ++r) {
            for (size_t h = 0; h < 2; ++h) sums[r][h] = wasm_i32x4_add(sums[r][h], dots.scaled(r, h, scales));
          }
        } else {
          add_block(dots, q, record, parts, sums);
        }
        record += parts.bytes;
        q += Dot::kBand;
      } while (q != end);
      std::copy_n(&sums[0][0], kRows * 2, &finished[0][0]);
      if (!super_blocks) break;
      add_super_block<Dot::kBand>(finished, first, record, in.w, totals);
      record += parts.super_block_bytes;
    } while (q != q_end);

    const size_t column = panel * kPanelRows;
    const auto* const all = reinterpret_cast<const float*>(super_blocks ? &totals : &finished);
    finish_long<Arithmetic>(all, kRows, epilogue, {in.c, row, column, std::min(kPanelRows, in.w.rows() - column)});
  } while (++panel != panel_end);
}

// `Tiles::whole<bits>` and `Tiles::any<bits>`: the tiles for whole blocks and those of any size. 6 bits only have one
// size.
template <class Tiles>
inline void gemm_blocks(const GemmBlocksOperands& in, const Epilogue& epilogue, const GemmTile& part) {
  const BlockBits bits = in.w.bits();
  if (in.w.block() == BlockMatrix::kMaxBlock || bits == BlockBits::six) {
    const auto& tiles = bits == BlockBits::four   ? Tiles::template whole<BlockBits::four>
                        : bits == BlockBits::five ? Tiles::template whole<BlockBits::five>
                        : bits == BlockBits::six  ? Tiles::template whole<BlockBits::six>
                                                  : Tiles::template whole<BlockBits::eight>;
    return cover<Tiles::kBand>(part, in.w.panel_bytes(), tiles, in, epilogue);
  }
  const auto& tiles = bits == BlockBits::four   ? Tiles::template any<BlockBits::four>
                      : bits == BlockBits::five ? Tiles::template any<BlockBits::five>
                                                : Tiles::template any<BlockBits::eight>;
  cover<Tiles::kBand>(part, in.w.panel_bytes(), tiles, in, epilogue);
}

}  // namespace quintet::generic
